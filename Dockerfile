# syntax=docker/dockerfile:1
# Hindsight in one container. Build: docker build -t hindsight .     Run: see docs/deploying.md and docker-compose.yml.
ARG NODE_VERSION=20.20.2

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY portal/package.json ./portal/
RUN npm ci --no-audit --no-fund
COPY . .
RUN node scripts/prepare.mjs

# The shop of the cluster (docker build --target demo): the SDKs that it sends with are packages of the build.
FROM build AS demo
ENV NODE_ENV=production
USER node
ENTRYPOINT ["node", "dist/demo/main.js"]

# The npm package, which leaves out what nothing reads at run time.
FROM build AS package
RUN node scripts/package/pack.mjs --folder /package && \
    npm install --global --prefix /installed --ignore-scripts --no-audit --no-fund /package/*.tgz

FROM node:${NODE_VERSION}-bookworm-slim
LABEL org.opencontainers.image.title="Hindsight" \
      org.opencontainers.image.description="Self-hosted, event-sourced observability backend for OpenTelemetry data" \
      org.opencontainers.image.licenses="Apache-2.0"
WORKDIR /app
COPY --from=package /installed/lib/node_modules/@hindsight-apm/hindsight ./
# Only /data is written to (and /tmp, by speech): the rest of the file system may be read-only.
RUN mkdir -m 0700 /data && chown node:node /data
ENV NODE_ENV=production \
    DATA_DIR=/data \
    BIND_ADDRESS=0.0.0.0
USER node
VOLUME /data
EXPOSE 8080 4317 4318
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "bin/healthcheck.js"]
ENTRYPOINT ["node", "bin/hindsight.js"]
CMD ["serve"]
