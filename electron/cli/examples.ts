/** Of commands whose help has no text of its own, by their words. */
const EXAMPLES: Readonly<Record<string, readonly [string, string]>> = {
  'browsers list': ['sluice browsers list', 'sluice browsers list --json'],
  'browsers revoke': ['sluice browsers revoke 4be03f7a', 'sluice browsers revoke --all'],
  'cache list': ['sluice cache list', 'sluice cache list --json'],
  'cache clear': ['sluice cache clear', 'sluice cache clear github'],
  engine: ['sluice engine', 'sluice engine --data-dir ./sluice-data'],
  'models list': ['sluice models list', 'sluice models list --json'],
  'models download': ['sluice models download qwen3-0.6b', 'sluice models download qwen3-1.7b'],
  'models cancel': ['sluice models cancel qwen3-0.6b', 'sluice models cancel qwen3-1.7b'],
  'models remove': ['sluice models remove qwen3-0.6b', 'sluice models remove my-model'],
  'models use': ['sluice models use qwen3-0.6b', 'sluice models use endpoint'],
  'models import': ['sluice models import ./model.gguf', 'sluice models import ~/Downloads/qwen3.gguf'],
  'models test': ['sluice models test', 'sluice models test qwen3-0.6b'],
  open: ['sluice open', 'sluice open --data-dir ./sluice-data'],
  'quarantine list': ['sluice quarantine list', 'sluice quarantine list --json'],
  'quarantine show': [
    'sluice quarantine show q_1f2e3d4c5b6a',
    'sluice quarantine show q_1f2e3d4c5b6a | less -R',
  ],
  'quarantine release': [
    'sluice quarantine release q_1f2e3d4c5b6a',
    'sluice --data-dir ./sluice-data quarantine release q_1f2e3d4c5b6a',
  ],
  'quarantine delete': [
    'sluice quarantine delete q_1f2e3d4c5b6a',
    'sluice --data-dir ./sluice-data quarantine delete q_1f2e3d4c5b6a',
  ],
  'results list': ['sluice results list', 'sluice results list --client cursor'],
  'results show': ['sluice results show r_7f3a9c', 'sluice results show r_7f3a9c > original.txt'],
  resume: ['sluice resume', 'sluice resume --data-dir ./sluice-data'],
  'secrets set': [
    'printf %s "$TOKEN" | sluice secrets set github-token',
    'sluice secrets set github-token < token.txt',
  ],
  'secrets keep': ['sluice secrets keep', 'sluice secrets keep github'],
  'secrets list': ['sluice secrets list', 'sluice secrets list --json'],
  'secrets remove': ['sluice secrets remove github-token', 'sluice secrets remove linear-key'],
  'sign-out': ['sluice sign-out linear', 'sluice --data-dir ./sluice-data sign-out linear'],
  start: ['sluice start', 'sluice start --data-dir ./sluice-data'],
}

export function examplesOf(words: string): string {
  const lines = EXAMPLES[words]
  return lines === undefined ? '' : `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}`
}
