#!/bin/sh
# Builds the image of the Dockerfile with buildah where no registry of images can be reached: its base, the slim Debian
# image of Node.js, is made from Debian's packages, this machine's Node.js and npm of the lock of the base's version.
# Needs root, buildah, debootstrap, npm and the Debian mirror. The image is `localhost/hindsight`.
# Usage: scripts/image/build.sh
set -eu
project=$(cd "$(dirname "$0")/../.." && pwd)
version=$(node -p 'process.versions.node')
base=docker.io/library/node:$version-bookworm-slim
work=$(mktemp -d /tmp/hindsight-image-XXXXXX)
trap 'rm -rf "$work"' EXIT

if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  echo "== base: $base"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/root" >"$work/debootstrap.log" || { tail "$work/debootstrap.log"; exit 1; }
  rm -rf "$work/root/var/cache/apt" "$work/root/var/lib/apt/lists" "$work/root/usr/share/doc" "$work/root/usr/share/man" "$work/root/usr/share/locale"
  cp "$(command -v node)" "$work/root/usr/local/bin/node"
  mkdir -p "$work/root/usr/local/lib/node_modules"
  (cd "$work" && npm pack --silent "npm@$(npm --version)" >/dev/null && tar -xzf npm-*.tgz && mv package root/usr/local/lib/node_modules/npm)
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
  chroot "$work/root" useradd --uid 1000 --user-group --create-home node
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$work/root" / >/dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin --cmd node "$container"
  buildah commit --quiet --rm "$container" "$base" >/dev/null
fi

echo '== image'
set -- --isolation chroot --pull-never --build-arg "NODE_VERSION=$version" --tag hindsight
# Where Node.js trusts more certificates on this machine, such as those of a proxy, so does npm in the build.
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  echo "cafile=/extra-certificates.pem" >"$work/npmrc"
  set -- "$@" --volume "$work/npmrc:/root/.npmrc:ro" --volume "$NODE_EXTRA_CA_CERTS:/extra-certificates.pem:ro"
fi
buildah build "$@" "$project"
