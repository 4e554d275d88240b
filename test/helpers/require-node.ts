// First of all: without its install scripts npm leaves the `node` package without binary, and everything would
// run on the system's older Node.
const [major = 0] = process.versions.node.split('.').map(Number)
if (major < 24) {
  console.error(
    `Sluice needs Node 24 or newer, but this is Node ${process.versions.node}. ` +
      'Run `npm ci` with its install scripts (not --ignore-scripts) and start it through npm: it brings its own Node 24.',
  )
  process.exit(1)
}
