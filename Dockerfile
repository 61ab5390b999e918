# Two images: `docker build .` builds the sweeper, `docker build --target noop .` the no-op image for image
# swaps. Both base images are pinned by digest; update the tag and the digest together.
ARG NODE_IMAGE=docker.io/library/node:24-trixie-slim@sha256:c319bb4fac67c01ced508b67193a0397e02d37555d8f9b72958649efd302b7f8
ARG BASE_IMAGE=gcr.io/distroless/nodejs24-debian13:nonroot@sha256:9eeb7f5887d0e239e78264b06f7f11d2e14be534050481803a9e4728fcdd278e

# The output is the same for every architecture, so it is built on the builder's own.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc tsconfig.json ./
COPY scripts/build.mjs scripts/
COPY docs/reasons.md docs/
COPY src src
# The packages are needed only in this step and stay out of the layer.
RUN --mount=type=tmpfs,target=/src/node_modules npm ci --ignore-scripts && npm run build

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS noop-root
ARG TARGETARCH
WORKDIR /src
COPY images/noop.mjs images/
COPY src/methods/noop-programs.json src/methods/
RUN node images/noop.mjs /noop-root "$TARGETARCH"

# One static program that exits 0, under every name that a sidecar's command may use.
FROM scratch AS noop
ARG VERSION=dev
ARG REVISION=unknown
ARG CREATED=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="sidecar-sweeper-noop" \
      org.opencontainers.image.description="Exits 0, whatever its command: the image that replaces a sidecar's in an image swap." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.url="$SOURCE" \
      org.opencontainers.image.documentation="$SOURCE/tree/main/docs" \
      org.opencontainers.image.vendor="sidecar-sweeper"
COPY --from=noop-root /noop-root /
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
USER 65532:65532
ENTRYPOINT ["/noop"]

FROM ${BASE_IMAGE} AS sweeper
ARG VERSION=dev
ARG REVISION=unknown
ARG CREATED=unknown
ARG SOURCE=unknown
LABEL org.opencontainers.image.title="sidecar-sweeper" \
      org.opencontainers.image.description="Ends the sidecars that keep finished Kubernetes pods running, and proves that they ended." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.created="$CREATED" \
      org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.url="$SOURCE" \
      org.opencontainers.image.documentation="$SOURCE/tree/main/docs" \
      org.opencontainers.image.vendor="sidecar-sweeper"
COPY LICENSE /LICENSE
COPY --from=build /src/dist /sidecar-sweeper
# A number, because the kubelet cannot verify runAsNonRoot for a user name.
USER 65532:65532
ENTRYPOINT ["/nodejs/bin/node", "/sidecar-sweeper/sidecar-sweeper.mjs"]
