import { resolve } from 'node:path'
import { Command } from 'commander'
import { SluiceError } from '../engine/ground/errors.ts'
import type { Models } from '../engine/models/models.ts'
import { ENDPOINT } from '../../shared/model-settings.ts'
import type { CommandSetup, CreateCommand } from './cli-context.ts'
import { confirm } from './confirm.ts'
import { followDownload } from './models/follow-download.ts'
import { listModels } from './models/list-models.ts'
import { printTest } from './models/print-test.ts'
import { withModels } from './models/with-models.ts'

const EXAMPLES = `
A model writes summaries where the deterministic compression is told to use one. It runs on this machine, or behind any
OpenAI-compatible address (model.endpoint in config.json).

Examples:
  sluice models list
  sluice models download qwen3-0.6b
  sluice models use endpoint
  sluice models test`

export const modelsCommand: CreateCommand = (setup) =>
  new Command('models')
    .description('Models that write: on this machine, or behind an address.')
    .addCommand(listCommand(setup))
    .addCommand(downloadCommand(setup))
    .addCommand(cancelCommand(setup))
    .addCommand(removeCommand(setup))
    .addCommand(useCommand(setup))
    .addCommand(importCommand(setup))
    .addCommand(testCommand(setup))
    .addHelpText('after', EXAMPLES)

const listCommand = ({ context, common }: CommandSetup): Command =>
  new Command('list')
    .description('List the models that can be downloaded, and those that are here.')
    .option('--json', 'print a JSON array', false)
    .action(({ json }: { json: boolean }) =>
      withModels(context, common(), (models, settings) => {
        context.stdout.write(listModels(models, settings.current.model, { json }))
      }),
    )

const downloadCommand = ({ context, common }: CommandSetup): Command =>
  new Command('download')
    .description('Download a model, or go on with that. Ctrl-C pauses.')
    .argument('<id>', 'which one, from `sluice models list`')
    .action((id: string) =>
      withModels(context, common(), async (models, settings) => {
        const before = settings.current.model.use
        const installed = await followDownload(models, id, context)
        context.stdout.write(`${installed.name} is at ${installed.path}\n`)
        if (before === undefined) context.stdout.write(`It is the model in use now.\n`)
      }),
    )

const cancelCommand = ({ context, common }: CommandSetup): Command =>
  new Command('cancel')
    .description('Drop what was downloaded of a model so far.')
    .argument('<id>', 'which one')
    .action((id: string) =>
      withModels(context, common(), async (models) => {
        const left = models.downloads.list().find((each) => each.id === id)
        if (left?.state === 'elsewhere') {
          throw new SluiceError('BAD_INPUT', `Another Sluice process downloads "${id}". Cancel it there.`)
        }
        await models.downloads.cancel(id)
        context.stdout.write(
          left ? `Dropped ${megabytes(left.done)} of ${id}.\n` : 'There was nothing to drop.\n',
        )
      }),
    )

const removeCommand = ({ context, common }: CommandSetup): Command =>
  new Command('remove')
    .description('Delete a model from this machine.')
    .argument('<id>', 'which one')
    .option('--yes', 'do not ask', false)
    .action((id: string, { yes }: { yes: boolean }) =>
      withModels(context, common(), async (models) => {
        const { name, bytes, from } = models.library.get(id)
        const again =
          from === 'import' ? 'It was imported: only you can bring it back.' : 'It can be downloaded again.'
        if (!yes && !(await confirm(context, `Delete ${name} (${megabytes(bytes)})? ${again}`))) {
          context.stdout.write('Nothing was changed.\n')
          return
        }
        await models.remove(id)
        context.stdout.write(`Deleted ${name}.\n`)
      }),
    )

const useCommand = ({ context, common }: CommandSetup): Command =>
  new Command('use')
    .description('Choose the model in use. A running engine notices.')
    .argument('<id>', 'an installed model, "endpoint" for model.endpoint of config.json, or "none"')
    .action((id: string) =>
      withModels(context, common(), (models, settings) => {
        models.use(id === 'none' ? undefined : id)
        const endpoint = settings.current.model.endpoint
        const what =
          id === ENDPOINT
            ? `${endpoint?.model ?? ''} at ${endpoint?.baseUrl ?? ''}`
            : id === 'none'
              ? 'No model'
              : models.library.get(id).name
        context.stdout.write(`${what} is used from now on.\n`)
      }),
    )

const importCommand = ({ context, common }: CommandSetup): Command =>
  new Command('import')
    .description('Copy a GGUF file of this machine, after checking it.')
    .argument('<file>', 'the file')
    .action((file: string) =>
      withModels(context, common(), async (models) => {
        const { id, name } = await models.library.importFile(resolve(context.cwd, file))
        context.stdout.write(`${name} is here as "${id}". \`sluice models use ${id}\` uses it.\n`)
      }),
    )

const testCommand = ({ context, common }: CommandSetup): Command =>
  new Command('test')
    .description('Ask a model one question and measure it: speeds, memory, device.')
    .argument('[id]', 'an installed model or "endpoint"; without it the one in use')
    .option('--json', 'print the figures as JSON', false)
    .action((id: string | undefined, { json }: { json: boolean }) =>
      withModels(
        context,
        common(),
        async (models, settings) => {
          const { testModel } = await import('../engine/models/test-model.ts')
          const model = currentOf(models)
          const timeLimitMs = settings.current.model.timeLimitSeconds * 1000
          const result = await testModel(model, { local: models.local(), timeLimitMs })
          context.stdout.write(printTest(result, { json, timeLimitMs }))
        },
        id,
      ),
    )

function currentOf(models: Models): NonNullable<ReturnType<Models['current']>> {
  const model = models.current()
  if (model) return model
  throw new SluiceError(
    'BAD_INPUT',
    'No model is in use. `sluice models download qwen3-0.6b` fetches a small one, or name one: sluice models test ID.',
  )
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`
