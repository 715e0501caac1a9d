// SPDX-License-Identifier: Apache-2.0
// Checks a page of three stores: two of one experiment, and one whose fabric has too many ports to draw each.
// node several.mjs PAGE.html FOLDER PLAYWRIGHT; screenshots stay in FOLDER.
import { check, finish, open, sqlOf } from "./open.mjs";

const [page_file, folder, playwright] = process.argv.slice(2);
const { browser, page, complaints } = await open(page_file, playwright);
const sql = sqlOf(`${folder}/fabric.db`);

// ---- two stores of one experiment ----
check("experiments of one name are one, the others are to be picked", (await page.locator("header select option").count()) === 2);
check("the stores are named", /lab\.db, .*other\.db/.test(await page.textContent("header p")), await page.textContent("header p"));
check("the runs of both are asked about", /16 runs, all done/.test(await page.textContent("#summary p")), await page.textContent("#summary p"));
const groups = await page.$$eval("#summary-table tr.group th", heads => heads.map(h => h.textContent));
check("rows of one store and of the other", groups.length === 4 && groups.filter(g => /store other\.db/.test(g)).length === 2, groups);
check("the claims of both, each with its store", (await page.locator(".claim").count()) === 4 && /other\.db/.test(await page.locator(".claim").last().textContent()));
check("the command names the store it comes from", await page.evaluate(() => commandOf(report.open.runs[8]).endsWith("-o other-again.db")));
await page.screenshot({ path: `${folder}/several-light.png`, fullPage: true });

// ---- the other experiment ----
await page.selectOption("header select", "1");
check("the title is that of the experiment", (await page.textContent("h1")) === sql("SELECT title FROM experiments")[0].title);
check("all hosts and switches are counted", /8,192 hosts and 1,280 switches/.test(await page.textContent("#summary")), await page.textContent("#summary"));
const drawn = await page.evaluate(() => ({ nodes: report.fabric.t.n, links: report.fabric.t.links.length, whole: report.fabric.t.count(0, report.fabric.t.n), ports: report.fabric.t.merged.reduce((a, b) => a + b, 0) }));
const [{ nodes }] = sql("SELECT count(*) AS nodes FROM nodes"), [{ ports }] = sql("SELECT count(*) AS ports FROM ports");
check("drawn in groups that stand for every node and port", drawn.nodes === 112 && drawn.whole === nodes && drawn.ports === ports, { drawn, nodes, ports });
const load = sql("SELECT avg(utilisation) AS mean FROM ports p JOIN nodes a ON a.run = p.run AND a.node = p.node JOIN nodes b ON b.run = p.run AND b.node = p.neighbour WHERE a.name GLOB 'tor0.*' AND b.name GLOB 'agg0.*'")[0].mean;
const shown = await page.evaluate(() => { const { t, values } = report.fabric, p = t.node.findIndex((n, i) => t.names[n] === "tor0.*" && t.names[t.neighbour[i]] === "agg0.*"); return values.utilisation[p]; });
check("a link of groups has the mean load", load > 0 && Math.abs(load - shown) < 1e-4 * load + 2e-5, { load, shown });
check("failed links are counted", await page.evaluate(() => report.fabric.t.links.map(l => report.fabric.failed.get(l.up)).filter(Boolean).reduce((sum, f) => sum + f[5], 0)) === 20);
check("the index is over hosts", new RegExp(`over the ${sql("SELECT count(DISTINCT port) AS n FROM samples WHERE kind = 'goodput' AND value > 0")[0].n} receiving hosts`).test(await page.textContent('[data-chart="time:jain"]')), await page.textContent('[data-chart="time:jain"]'));
await page.locator('#fabric [data-flow="7"]').click();
const said = await page.textContent("#flow-text"), ends = sql("SELECT a.name AS src, b.name AS dst FROM flows f JOIN nodes a ON a.run = f.run AND a.node = src JOIN nodes b ON b.run = f.run AND b.node = dst WHERE flow = 7")[0];
check("a flow has its hosts and its path", said.includes(`from ${ends.src} to ${ends.dst}`) && /recorded path is drawn/.test(said) && (await page.evaluate(() => report.fabric.path.links.length)) === 6, said);
await page.screenshot({ path: `${folder}/several-fabric.png`, fullPage: true });
check("no complaint on the console", complaints.length === 0, complaints);
const racks = await page.evaluate(() => report.data.experiments.flatMap(e => Object.values(e.details)).flatMap(d => d.series.goodput ? d.series.goodput.groups : []).filter(g => g.n > 1));
check("goodput is told by whole racks", racks.length > 1 && racks.every(g => /^tor\d+\.\d+ to tor\d+\.\d+$/.test(g.name) && g.n === 16 * g.racks), racks.map(g => [g.name, g.n]));
await finish(browser);
