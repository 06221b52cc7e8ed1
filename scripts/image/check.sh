#!/bin/sh
# Runs the image that build.sh has made as docker-compose.yml does: with its environment, as user 1000 without capabilities,
# read-only but for /data and /tmp, in namespaces of its own without a network but loopback. It needs no container engine,
# which machines without cgroups of version 2 cannot run. probe.mjs checks the service from inside.
# Needs root, buildah, and unshare and setpriv of util-linux.
# Usage: scripts/image/check.sh
set -eu
folder=$(cd "$(dirname "$0")" && pwd)
container=$(buildah from --pull-never localhost/hindsight)
trap 'buildah rm "$container" >/dev/null' EXIT
root=$(buildah mount "$container")
echo "size of the image: $(buildah images --format '{{.Size}}' localhost/hindsight)"
[ "$(buildah inspect --format '{{.OCIv1.Config.User}}' "$container")" = node ]
mkdir -p "$root/proc" "$root/dev" "$root/tmp"
cp "$folder/probe.mjs" "$root/app/probe.mjs"
environment=$(buildah inspect --format '{{range .OCIv1.Config.Env}}{{.}} {{end}}' "$container")
export root environment
unshare --mount --pid --ipc --uts --net --fork sh -eu <<'INNER'
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount -t tmpfs -o mode=755 tmpfs "$root/dev"
for device in null urandom; do touch "$root/dev/$device"; mount --bind "/dev/$device" "$root/dev/$device"; done
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount -t tmpfs -o mode=700,uid=1000,gid=1000 tmpfs "$root/data"
mount -o remount,bind,ro "$root"
ip link set lo up
env -i $environment HOME=/data LOG_LEVEL=warn \
  chroot "$root" setpriv --reuid 1000 --regid 1000 --clear-groups --bounding-set=-all --inh-caps=-all --no-new-privs \
  node /app/probe.mjs
INNER
