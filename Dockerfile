# Any base with Node 24 and npm will do: --build-arg BASE=registry.example.org/node:24
ARG BASE=node:24-slim

FROM ${BASE} AS build
WORKDIR /opt/gatehouse
COPY package.json package-lock.json .npmrc ./
# The base has a Node of its own; the copies from npm are for machines that have an older one.
RUN npm ci --omit=dev && rm -rf node_modules/node-*
COPY . .
# .npmrc may hold the token of a registry.
RUN npm run build && rm -rf .next/cache .npmrc && ln -s /data data

FROM ${BASE}
ENV NODE_ENV=production \
    HOST=0.0.0.0
COPY --from=build /opt/gatehouse /opt/gatehouse
# "docker exec … gatehouse user list"
RUN printf '#!/bin/sh\nexec node /opt/gatehouse/lib/cli.ts "$@"\n' > /usr/local/bin/gatehouse \
    && chmod 755 /usr/local/bin/gatehouse \
    && mkdir -p /data /backups && chown 1000:1000 /data /backups && chmod 700 /data /backups
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
    CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "/opt/gatehouse/lib/server.ts"]
