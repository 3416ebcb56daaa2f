# One image for operator, API server and the steps of every execution.
FROM node:20-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
ARG SLIPWAY_COMMIT=""
RUN SLIPWAY_COMMIT="$SLIPWAY_COMMIT" npm run build
# The programs are bundles; lmdb alone, which only `slipway serve` loads, has a native part and stays a package.
RUN mkdir runtime && node tools/runtime-packages.mjs lmdb | xargs cp --recursive --parents --target-directory=runtime

FROM node:20-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends git openssh-client ca-certificates \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/runtime/node_modules ./node_modules
COPY --from=build /app/charts ./charts
COPY --from=build /app/dist/bin ./dist/bin
COPY --from=build /app/dist/api-docs ./dist/api-docs
COPY --from=build /app/dist/ui ./dist/ui
COPY --from=build /app/dist/build.json /app/dist/crds.json ./dist/
RUN ln -s /app/dist/bin/slipway.js /usr/local/bin/slipway && ln -s /app/dist/bin/runner.js /usr/local/bin/slipway-runner
ENV NODE_ENV=production
USER 10001:10001
ENTRYPOINT ["slipway"]
