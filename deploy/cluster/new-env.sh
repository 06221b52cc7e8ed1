#!/bin/sh
# Prints settings of a new cluster: deploy/cluster.env.example with secrets that nobody has seen.
# Of an installation that is there already the secrets are in its engines: make them once, and keep the file.
set -eu
cd "$(dirname "$0")/.."

# So many random bytes in hex.
random() { od -An -v -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }

# A UUID of version 4: all of it random but six bits.
uuid() { random 16 | sed -E 's/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/\1-\2-4\3-8\4-\5/'; }

sed -E \
  -e '/^#   \(umask|^# Settings of the cluster/d' \
  -e "s/^(MONGO_PASSWORD)=$/\1=$(random 24)/" \
  -e "s/^(MONGO_ROOT_PASSWORD)=$/\1=$(random 24)/" \
  -e "s/^(MONGO_REPLICA_KEY)=$/\1=$(random 48)/" \
  -e "s/^(NATS_PASSWORD)=$/\1=$(random 24)/" \
  -e "s/^(PORTAL_SESSION_SECRET)=$/\1=$(random 32)/" \
  -e "s/^(BOOTSTRAP_API_KEY)=$/\1=hs_first_$(random 24)/" \
  -e "s/^(BOOTSTRAP_GRID_ID)=$/\1=$(uuid)/" \
  cluster.env.example
