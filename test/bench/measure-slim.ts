/**
 * `node test/bench/measure-slim.ts [--json] [--show] [WORD…]`: what `toolList.slim` saves on the lists of real
 * servers from npm, as in docs/measurements.md; only packages whose name contains one of the words. Servers not
 * installed here come through npx. --show prints the slim tools.
 */
import { parseArgs } from 'node:util'
import { asModelsSee, NPM_SERVERS, slimFigures, toolsOfNpmServer } from '../helpers/npm-servers.ts'

const { values, positionals } = parseArgs({
  options: { json: { type: 'boolean', default: false }, show: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const wanted = NPM_SERVERS.filter(
  (server) => positionals.length === 0 || positionals.some((word) => server.package.includes(word)),
)
const figures: object[] = []
for (const server of wanted) {
  const tools = await toolsOfNpmServer(server)
  const { slim, before, after, less } = slimFigures(tools)
  const name = `${server.package}@${server.version}`
  figures.push({ server: name, tools: tools.length, before, after, less: `${Math.round(less * 100)} %` })
  if (values.show) for (const tool of slim) console.log(asModelsSee(tool))
}
if (values.json) console.log(JSON.stringify(figures, undefined, 2))
else console.table(figures)
