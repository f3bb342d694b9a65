# The Node that package.json pins for development; bookworm-slim has glibc and little else. The tag is exact; pin its digest
# where you build, by `docker buildx imagetools inspect` of this very tag.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /counterpoise
COPY package.json package-lock.json ./
COPY scripts scripts
RUN npm ci --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src src
RUN npm run build

FROM node:24.21.0-bookworm-slim AS dependencies
WORKDIR /counterpoise
COPY package.json package-lock.json ./
# No production dependency needs an install script, and none may run one.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /counterpoise
COPY package.json ./
COPY --from=dependencies /counterpoise/node_modules node_modules
COPY --from=build /counterpoise/dist dist
# By number: the kubelet's runAsNonRoot cannot judge a name.
USER 1000:1000
EXPOSE 8080
# Node is process 1 and handles SIGTERM itself; no shell in between.
ENTRYPOINT ["node", "--enable-source-maps", "dist/main.js"]
