# Slipway's image, and one for each program of an agent:
#
#   docker build -t slipway .                                               operator, API server with UI, command line
#   docker build -t slipway-agent-claude --target slipway-agent-claude .    also -gemini, -codex and -script
#
# docs/images.md describes the arguments. Debian 12, because that is what the tests run on.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

# What every image begins with, so that a node pulls it once. Agents and git need no more than this.
FROM ${NODE_IMAGE} AS system
RUN apt-get update \
  && apt-get install --yes --no-install-recommends ca-certificates git \
  # Lists, caches and logs name the time of the build.
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/cache/ldconfig/aux-cache /var/log/* \
  # ssh refuses to start for a user without a name. In pods and read-only containers only /tmp can be written.
  && echo 'slipway:x:10001:10001:Slipway:/tmp:/bin/bash' >> /etc/passwd \
  && echo 'slipway:x:10001:' >> /etc/group
USER 10001:10001
ENTRYPOINT []
ARG VERSION=unreleased
ARG SLIPWAY_COMMIT=""
ARG SOURCE=""
ARG NODE_IMAGE
LABEL org.opencontainers.image.version="${VERSION}" \
  org.opencontainers.image.revision="${SLIPWAY_COMMIT}" \
  org.opencontainers.image.source="${SOURCE}" \
  org.opencontainers.image.base.name="${NODE_IMAGE}" \
  org.opencontainers.image.vendor="Slipway"

# Programs of agents are installed by npm, without running scripts of theirs, into a folder that is then copied.
FROM ${NODE_IMAGE} AS claude
ARG CLAUDE_CODE_VERSION=2.1.329
WORKDIR /out/opt/claude-code
RUN npm install --no-save --ignore-scripts --no-audit --no-fund "@anthropic-ai/claude-code@${CLAUDE_CODE_VERSION}" \
  && install --directory /out/usr/local/bin \
  # Its install script would make a second link to the native program, which copying turns into another 380 MB.
  && ln -s "/opt/claude-code/$(ls node_modules/@anthropic-ai/claude-code-linux-*/claude)" /out/usr/local/bin/claude

FROM ${NODE_IMAGE} AS gemini
ARG GEMINI_CLI_VERSION=0.61.0
WORKDIR /out/opt/gemini-cli
RUN npm install --no-save --ignore-scripts --no-audit --no-fund "@google/gemini-cli@${GEMINI_CLI_VERSION}" \
  && install --directory /out/usr/local/bin \
  && ln -s /opt/gemini-cli/node_modules/.bin/gemini /out/usr/local/bin/gemini

FROM ${NODE_IMAGE} AS codex
ARG CODEX_VERSION=0.169.0
WORKDIR /out/opt/codex
RUN npm install --no-save --ignore-scripts --no-audit --no-fund "@openai/codex@${CODEX_VERSION}" \
  && install --directory /out/usr/local/bin \
  && ln -s /opt/codex/node_modules/.bin/codex /out/usr/local/bin/codex

FROM system AS slipway-agent-script
LABEL org.opencontainers.image.title="slipway-agent-script" \
  org.opencontainers.image.description="bash, git and Node for Slipway's agents of type script" \
  org.opencontainers.image.licenses="Apache-2.0"
CMD ["bash"]

FROM system AS slipway-agent-claude
COPY --from=claude /out /
LABEL org.opencontainers.image.title="slipway-agent-claude" \
  org.opencontainers.image.description="Claude Code for Slipway's agents; its licence is Anthropic's" \
  org.opencontainers.image.licenses="LicenseRef-Claude-Code"
CMD ["claude", "--version"]

FROM system AS slipway-agent-gemini
COPY --from=gemini /out /
LABEL org.opencontainers.image.title="slipway-agent-gemini" \
  org.opencontainers.image.description="Gemini CLI for Slipway's agents" \
  org.opencontainers.image.licenses="Apache-2.0"
CMD ["gemini", "--version"]

FROM system AS slipway-agent-codex
COPY --from=codex /out /
LABEL org.opencontainers.image.title="slipway-agent-codex" \
  org.opencontainers.image.description="Codex for Slipway's agents" \
  org.opencontainers.image.licenses="Apache-2.0"
CMD ["codex", "--version"]

FROM ${NODE_IMAGE} AS build
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
ARG SLIPWAY_COMMIT=""
ARG SOURCE=""
ARG SOURCE_DATE_EPOCH=""
# What `npm run release` packs as the npm tarball, and the packages that are not bundled.
RUN node tools/build.mjs --programs \
  && npx esbuild tools/release/write-package.ts --bundle --platform=node --format=esm --outfile=dist/write-package.mjs \
  && node dist/write-package.mjs /app "${SOURCE}" \
  && cd /app && npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM system AS slipway
USER root
RUN apt-get update \
  && apt-get install --yes --no-install-recommends openssh-client \
  && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /var/cache/debconf/*-old /var/cache/ldconfig/aux-cache /var/log/* \
  && ln -s /app/dist/bin/slipway.js /usr/local/bin/slipway \
  && ln -s /app/dist/bin/slipway.js /usr/local/bin/kubectl-slipway \
  && ln -s /app/dist/bin/runner/runner.js /usr/local/bin/slipway-runner \
  # A volume that is mounted here for the first time takes the owner from it.
  && install --directory --owner=10001 --group=10001 /data
COPY --from=build /app /app
WORKDIR /app
ENV NODE_ENV=production
LABEL org.opencontainers.image.title="slipway" \
  org.opencontainers.image.description="Operator, API server with UI, and command line of Slipway" \
  org.opencontainers.image.licenses="Apache-2.0"
USER 10001:10001
ENTRYPOINT ["slipway"]
