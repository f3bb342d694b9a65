// Plain JavaScript on purpose: it must run on the very Node that it complains about.
const major = Number(process.versions.node.split('.')[0]);
if (major !== 24) {
  console.error(
    `counterpoise needs Node 24, this is ${process.version}: run "npm ci" (it brings Node 24 as the package "node"), then start things with npm or make.`,
  );
  process.exit(1);
}
