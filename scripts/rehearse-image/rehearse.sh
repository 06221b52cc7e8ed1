#!/bin/sh
# Rehearses the Dockerfile where no container engine runs: the same production packages and the same files, in a root of
# their own that is read-only but for /data and /tmp, as user 1000. Starts the service there, checks it as the image does,
# and measures it. Needs root, Linux with unshare, and a build in the given folder (default: dist).
# Usage: scripts/rehearse-image/rehearse.sh [folder of the build]
set -eu
project=$(cd "$(dirname "$0")/../.." && pwd)
built=${1:-$project/dist}
root=$(mktemp -d /tmp/hindsight-image-XXXXXX)
chmod 755 "$root"
trap 'rm -rf "$root"' EXIT

echo "== packages: npm ci --omit=dev"
mkdir -p "$root/app/portal"
cp "$project/package.json" "$project/package-lock.json" "$root/app/"
cp "$project/portal/package.json" "$root/app/portal/"
(cd "$root/app" && npm ci --omit=dev --no-audit --no-fund --loglevel=error >/dev/null)
rm -r "$root/app/package-lock.json" "$root/app/portal"

echo "== files of the image"
cp "$project/LICENSE" "$root/app/"
cp -r "$project/bin" "$root/app/bin"
mkdir "$root/app/dist"
cp -r "$built/src" "$built/portal" "$root/app/dist/"
mkdir -m 0700 "$root/data"
mkdir "$root/tmp" "$root/proc" "$root/dev" "$root/etc"
chown 1000:1000 "$root/data"
echo 'node:x:1000:1000::/data:/bin/sh' > "$root/etc/passwd"
printf '127.0.0.1 localhost\n' > "$root/etc/hosts"

echo "== node and what it links, in place of the base image"
node=$(command -v node)
# Children are bounded by a shell.
for file in "$node" /bin/sh $(ldd "$node" /bin/sh | grep -o '/[^ :]*'); do
  mkdir -p "$root$(dirname "$file")"
  cp -L "$file" "$root$file"
done
# Native packages link these too, which every Debian has.
for file in $(find "$root/app/node_modules" -name '*.node' -exec ldd {} + 2>/dev/null | grep -o '/[^ ]*\.so[^ ]*' | sort -u); do
  case $file in "$root"*) continue ;; esac
  mkdir -p "$root$(dirname "$file")"
  cp -Ln "$file" "$root$file" 2>/dev/null || true
done

echo "size of /app: $(du -sm "$root/app" | cut -f1) MB, of it packages $(du -sm "$root/app/node_modules" | cut -f1) MB, program $(du -sm "$root/app/dist" | cut -f1) MB"

echo "== run, as the image does"
cp "$project/scripts/rehearse-image/probe.mjs" "$root/app/"
export ROOT="$root"
# A mount namespace of its own: what is mounted here ends with it.
unshare --mount sh -eu <<'INNER'
mount --bind "$ROOT" "$ROOT"
mount -t proc proc "$ROOT/proc"
touch "$ROOT/dev/null" "$ROOT/dev/urandom"
for device in null urandom; do mount --bind "/dev/$device" "$ROOT/dev/$device"; done
mount -t tmpfs -o mode=1777 tmpfs "$ROOT/tmp"
mount --bind "$ROOT/data" "$ROOT/data"
mount -o remount,bind,ro "$ROOT"
cd "$ROOT"
env -i PATH=/usr/local/bin:/usr/bin:/usr/sbin:/sbin HOME=/data NODE_ENV=production DATA_DIR=/data BIND_ADDRESS=0.0.0.0 \
  HTTP_PORT=38411 OTLP_HTTP_PORT=38412 OTLP_GRPC_PORT=38413 LOG_LEVEL=warn \
  chroot --userspec=1000:1000 "$ROOT" "$(command -v node)" /app/probe.mjs
INNER
