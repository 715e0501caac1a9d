Somebody keeps what `heddle check` prints, to run it again: it is an experiment file of the same run, and shows the value that is used.

  $ heddle check "$ROOT/experiments/lossless-by-rate.yaml" > x.yaml 2> warnings
  $ grep ingress x.yaml
      # ingress: 128KiB  (no effect: switch.pause_preset: by-rate computes it)
  # ingress queues of switch ports: 44720B, by switch.pause_preset
  $ heddle check x.yaml > again 2> warnings
  $ diff <(sed -n 's/^# effective.*identity //p' x.yaml) <(sed -n 's/^# effective.*identity //p' again)
