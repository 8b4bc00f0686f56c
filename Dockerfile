# Any image with npm and Node 20 or newer can build it, and any with glibc 2.34 and libstdc++ can
# run it:
# --build-arg BUILD=registry.example.org/node:24 --build-arg BASE=registry.example.org/debian:12
ARG BUILD=node:24-slim
ARG BASE=debian:stable-slim

FROM ${BUILD} AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY . .
RUN npm run package -- --folder /opt/gatehouse

FROM ${BASE}
ENV HOST=0.0.0.0 \
    SETTINGS_DIR=/data \
    DATA_DIR=/data
COPY --from=build /opt/gatehouse /opt/gatehouse
# So that "docker exec … gatehouse user list" works.
RUN ln -s /opt/gatehouse/gatehouse /usr/local/bin/gatehouse \
    && mkdir -p /data /backups && chown 1000:1000 /data /backups && chmod 700 /data /backups
USER 1000:1000
WORKDIR /data
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=5s --start-period=15m \
    CMD ["/opt/gatehouse/program/node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["/opt/gatehouse/gatehouse", "start"]
