/* SPDX-License-Identifier: Apache-2.0 */
#include "workload/size_tables.h"

/* DCTCP (SIGCOMM 2010), figure 4; the table of HPCC, TrafficGenerator, Parsimon, UNISON. */
static const struct table_point web_search[] = {
    {0, 0},           {10000, 150000},   {20000, 200000},   {30000, 300000},   {50000, 400000},    {80000, 530000},
    {200000, 600000}, {1000000, 700000}, {2000000, 800000}, {5000000, 900000}, {10000000, 970000}, {30000000, 1000000}};

/* The same distribution in the ns-2 scripts of the ExpressPass authors. */
static const struct table_point web_search_expresspass[] = {
    {9000, 0},        {9000, 150000},    {18582, 200000},   {28140, 300000},   {38913, 400000},    {77468, 530000},
    {200000, 600000}, {1000000, 700000}, {2000000, 800000}, {5000000, 900000}, {10000000, 970000}, {30000000, 1000000}};

/* The same distribution in packets, from PIAS and yaps. */
static const struct table_point web_search_packets[] = {{6, 150000},    {13, 200000},   {19, 300000},    {33, 400000},
                                                        {53, 530000},   {133, 600000},  {667, 700000},   {1333, 800000},
                                                        {3333, 900000}, {6667, 970000}, {20000, 1000000}};

/* VL2 (SIGCOMM 2009), figure 2, from the ns-2 scripts of the ExpressPass authors. */
static const struct table_point data_mining[] = {
    {100, 0},          {10000, 800000},     {152522, 834600},     {390541, 900000},
    {3223542, 953846}, {100000000, 990000}, {1000000000, 1000000}};

/* The same distribution in packets, from PIAS and yaps. */
static const struct table_point data_mining_packets[] = {{1, 500000},     {2, 600000},      {3, 700000},
                                                         {7, 800000},     {267, 900000},    {2107, 950000},
                                                         {66667, 990000}, {666667, 1000000}};

/* A variant with a heavier tail (TrafficGenerator); the papers do not use it. */
static const struct table_point data_mining_heavy[] = {{0, 0},
                                                       {180, 100000},
                                                       {216, 200000},
                                                       {560, 300000},
                                                       {900, 400000},
                                                       {1100, 500000},
                                                       {1870, 600000},
                                                       {3160, 700000},
                                                       {10000, 800000},
                                                       {400000, 900000},
                                                       {3160000, 950000},
                                                       {100000000, 980000},
                                                       {1000000000, 1000000}};

/* Roy et al. (SIGCOMM 2015), cache follower. */
static const struct table_point cache_follower[] = {
    {70, 0},          {70, 10000},       {150, 15000},      {150, 40000},      {300, 80000},      {350, 100000},
    {350, 190000},    {450, 200000},     {500, 280000},     {600, 300000},     {700, 350000},     {1100, 400000},
    {2000, 420000},   {10000, 480000},   {30000, 500000},   {100000, 520000},  {200000, 600000},  {400000, 680000},
    {600000, 700000}, {1500000, 701000}, {2000000, 800000}, {2400000, 900000}, {3000000, 1000000}};

/* Roy et al. (SIGCOMM 2015), web server. */
static const struct table_point web_server[] = {{150, 0},         {300, 120000},   {300, 200000},    {600, 200000},
                                                {1000, 300000},   {2000, 400000},  {3100, 500000},   {6000, 600000},
                                                {20000, 710000},  {60000, 800000}, {150000, 820000}, {300000, 900000},
                                                {500000, 1000000}};

/* Roy et al. (SIGCOMM 2015), Hadoop, from HPCC. */
static const struct table_point hadoop[] = {{100, 10000},      {200, 20000},      {300, 50000},       {350, 150000},
                                            {400, 200000},     {500, 300000},     {600, 400000},      {700, 500000},
                                            {1000, 600000},    {2000, 670000},    {7000, 700000},     {30000, 720000},
                                            {50000, 820000},   {80000, 870000},   {120000, 900000},   {300000, 950000},
                                            {1000000, 975000}, {2000000, 990000}, {10000000, 1000000}};

/* Alibaba block storage. */
static const struct table_point alibaba_storage[] = {{0, 0},           {4000, 229300},   {8000, 692100},
                                                     {16000, 806100},  {32000, 904700},  {64000, 935300},
                                                     {128000, 967700}, {256000, 975300}, {2000000, 1000000}};

/* Solar (SIGCOMM 2022), RPCs of block storage. */
static const struct table_point solar_rpc[] = {{4095, 10},      {4096, 300000},  {16383, 350000},  {16384, 500000},
                                               {65535, 600000}, {65536, 950000}, {262144, 1000000}};

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

const struct size_table size_table[] = {
    {"web-search", "DCTCP (SIGCOMM 2010), figure 4", "a cluster of web search servers, as most simulators have it", 1,
     web_search, COUNT(web_search)},
    {"web-search-expresspass", "DCTCP (SIGCOMM 2010), figure 4", "the same as the ns-2 scripts of ExpressPass have it",
     1, web_search_expresspass, COUNT(web_search_expresspass)},
    {"web-search-packets", "DCTCP (SIGCOMM 2010), figure 4", "the same in packets, as PIAS and yaps have it", 1460,
     web_search_packets, COUNT(web_search_packets)},
    {"data-mining", "VL2 (SIGCOMM 2009), figure 2", "a data mining cluster, as the ns-2 scripts of ExpressPass have it",
     1, data_mining, COUNT(data_mining)},
    {"data-mining-packets", "VL2 (SIGCOMM 2009), figure 2", "the same in packets, as PIAS and yaps have it", 1460,
     data_mining_packets, COUNT(data_mining_packets)},
    {"data-mining-heavy", "TrafficGenerator", "a variant with a heavier tail; not the one of the papers", 1,
     data_mining_heavy, COUNT(data_mining_heavy)},
    {"cache-follower", "Roy et al. (SIGCOMM 2015)", "cache followers", 1, cache_follower, COUNT(cache_follower)},
    {"web-server", "Roy et al. (SIGCOMM 2015)", "web servers", 1, web_server, COUNT(web_server)},
    {"hadoop", "Roy et al. (SIGCOMM 2015)", "Hadoop, as HPCC has it", 1, hadoop, COUNT(hadoop)},
    {"alibaba-storage", "Alibaba", "block storage", 1, alibaba_storage, COUNT(alibaba_storage)},
    {"solar-rpc", "Solar (SIGCOMM 2022)", "RPCs of block storage", 1, solar_rpc, COUNT(solar_rpc)},
};
const uint32_t n_size_tables = sizeof size_table / sizeof size_table[0];
