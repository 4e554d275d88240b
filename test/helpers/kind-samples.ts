import { readdirSync, readFileSync } from 'node:fs'
import { EVENT_FORMS, type Level } from '../cases/forms/events-in-forms.ts'
import { RARER_RECORD_FORMS } from '../cases/forms/rarer-record-forms.ts'
import { RECORD_FORMS, type Fields } from '../cases/forms/records-in-forms.ts'

export interface KindSample {
  readonly format: string
  /** What the text is; several where either reads it well. */
  readonly kinds: readonly string[]
  readonly text: string
}

const WORDS =
  'amber birch cedar delta ember fjord grove harbor inlet juniper kelp lagoon maple nectar orchid pebble quartz ridge sable tundra'.split(
    ' ',
  )
const STATES = ['ready', 'failed', 'waiting']
const LEVELS: readonly Level[] = ['INFO', 'INFO', 'DEBUG', 'WARN', 'INFO', 'ERROR']
const SAMPLES = [1, 2, 3, 4, 5]
const word = (at: number): string => WORDS[at % WORDS.length] ?? ''

export const recordsOf = (seed: number, count = 12): Fields[] =>
  Array.from({ length: count }, (_, i) => ({
    name: `${word(i * seed + 3)}-${i + seed}`,
    owner: `${word(i * 7 + seed)} ${word(i * 3 + seed * 2)}`,
    state: STATES[(i * seed) % 3] ?? '',
    size: ((i + 1) * seed * 137) % 9973,
    since: `2026-0${1 + (i % 9)}-1${i % 9}`,
  }))

const events = (seed: number) =>
  Array.from({ length: 20 }, (_, i) => ({
    at: new Date(1_795_000_000_000 + i * 1371 * seed),
    number: i * seed + 3,
    level: LEVELS[(i * seed) % 6] ?? 'INFO',
    part: word((i + seed) % 6),
    message: `${word(i * seed)} ${['opened', 'closed', 'sent', 'lost'][i % 4]} ${i * seed} ${word(i * 3)}`,
  }))

/** Kinds of records' forms that aren't data or a table. */
const OF_RECORDS: Readonly<Record<string, readonly string[]>> = {
  html: ['html'],
  'html cards': ['html'],
  'html list': ['html', 'data'],
  bullets: ['data'],
  'numbered sentences': ['data'],
  'headings with bullets': ['data'],
  'python list': ['json', 'code', 'data'],
  'javascript object': ['json', 'code', 'data'],
  'data class': ['prose', 'code'],
  'go struct': ['code'],
  'elixir map': ['code'],
  'wiki table': ['prose', 'table'],
  logfmt: ['log', 'data', 'table'],
  'json in a log': ['log'],
  'no header': ['prose', 'table'],
}
/** Lines of events that have neither time nor level, or have columns. */
const OF_EVENTS: Readonly<Record<string, readonly string[]>> = {
  'message alone': ['prose', 'log'],
  'level and part': ['prose', 'log'],
  colons: ['prose', 'log'],
  commas: ['log', 'table'],
  'process between equals': ['prose', 'log'],
}

const PROSE: Readonly<Record<string, string>> = {
  English: 'The council met on Tuesday. It decided nothing, as was expected by most people in the town.',
  German: 'Der Rat traf sich am Dienstag. Er entschied nichts, wie es die meisten erwartet hatten: leider.',
  French: 'Le conseil s’est réuni mardi. Il n’a rien décidé, comme la plupart l’attendaient : hélas.',
  Russian: 'Совет собрался во вторник. Он ничего не решил, как и ожидало большинство жителей города.',
  Chinese: '火车明天早上从北京出发，下午到达上海。旅客需要提前半小时到站。',
}
const SOURCES: Readonly<Record<string, (name: string) => string>> = {
  TypeScript: (name) => `export function ${name}(a: number): number {\n  const b = a * 2\n  return b\n}\n`,
  Python: (name) => `def ${name}(a, b):\n    """Adds."""\n    total = a + b\n    return total\n`,
  Go: (name) => `func ${name}(a int) error {\n\tif a < 0 {\n\t\treturn errBad\n\t}\n\treturn nil\n}\n`,
  Rust: (name) => `pub fn ${name}(a: u32) -> u32 {\n    let b = a + 1;\n    b\n}\n`,
  Java: (name) => `public int ${name}(int a) {\n    int b = a + 1;\n    return b;\n}\n`,
  C: (name) => `static int ${name}(int a)\n{\n    int b = a + 1;\n    return b;\n}\n`,
}
const OTHERS: Readonly<Record<string, { kinds: readonly string[]; write: (seed: number) => string }>> = {
  'kubectl describe': {
    kinds: ['data'],
    write: (seed) =>
      `Name:         ${word(seed)}\nNamespace:    default\nLabels:       app=${word(seed)}\nContainers:\n  web:\n    Image:    nginx:1.${seed}\n    Ready:    True\nEvents:       <none>\n`,
  },
  env: {
    kinds: ['data'],
    write: (seed) =>
      `# ${word(seed)}\nDB_HOST=${word(seed)}\nDB_PORT=54${seed}\nTOKEN="a b"\nURL=https://x.example/${seed}\n`,
  },
  nginx: {
    kinds: ['data'],
    write: (seed) =>
      `worker_processes ${seed};\nhttp {\n    # api\n    server {\n        listen ${8000 + seed};\n        location /${word(seed)} {\n            proxy_pass http://b;\n        }\n    }\n}\n`,
  },
  metrics: {
    kinds: ['data'],
    write: (seed) => `# HELP up Up.\n# TYPE up gauge\nup{job="${word(seed)}"} ${seed}\nup{job="b"} 0\n`,
  },
  rss: {
    kinds: ['data'],
    write: (seed) =>
      `<?xml version="1.0"?>\n<rss version="2.0"><channel><title>${word(seed)}</title><item><title>a</title><link>https://x.example/1</link></item><item><title>b</title><link>https://x.example/2</link></item></channel></rss>`,
  },
  'git diff': {
    kinds: ['diff'],
    write: (seed) =>
      `diff --git a/${word(seed)} b/${word(seed)}\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old: ${seed}\n+new: 2\n same\n`,
  },
  paths: {
    kinds: ['file-list'],
    write: (seed) => WORDS.map((name) => `./src/${word(seed)}/${name}.ts`).join('\n'),
  },
  'tree of files': {
    kinds: ['data'],
    write: (seed) =>
      `.\n${WORDS.map((name, i) => `├── ${name}\n│   └── ${word(i + seed)}.ts`).join('\n')}\n\n20 directories, 20 files`,
  },
  'tree of packages': {
    kinds: ['data'],
    write: (seed) =>
      `app@1.0.${seed}\n${WORDS.map((name) => `├─┬ ${name}@${seed}.2.1\n│ └── ${word(seed)}@0.1.0 deduped`).join('\n')}`,
  },
  'maven tree': {
    kinds: ['data'],
    write: (seed) =>
      WORDS.map(
        (name) => `[INFO] +- org.x:${name}:jar:1.${seed}:compile\n[INFO] |  \\- org.y:z:jar:2.0:test`,
      ).join('\n'),
  },
  'query plan': {
    kinds: ['data'],
    write: (seed) =>
      `Hash Join  (cost=1.0..${seed}.3 rows=9)\n  Hash Cond: (a.id = b.id)\n  ->  Seq Scan on a  (cost=0.0..1.${seed})\n  ->  Hash  (cost=1.0..1.1)\n        Buckets: 1024\n        ->  Seq Scan on ${word(seed)} b`,
  },
  tap: {
    kinds: ['test-report'],
    write: (seed) =>
      `TAP version 13\n${WORDS.map((name, i) => `${i === seed ? 'not ok' : 'ok'} ${i + 1} - ${name}`).join('\n')}\n# tests 20\n# fail 1\n`,
  },
  markdown: {
    kinds: ['markdown'],
    write: (seed) =>
      `# ${word(seed)}\n\nSome words: and more.\n\n## Use\n\n- one\n- [two](https://x.example)\n\n\`\`\`yaml\nname: ${word(seed)}\nsize: 2\n\`\`\`\n\nThe end.\n`,
  },
  'json cut off': { kinds: ['data', 'json'], write: (seed) => JSON.stringify(recordsOf(seed)).slice(0, -40) },
}

/** Texts of many formats, five of each, and what they are. */
export function kindSamples(reports: string): KindSample[] {
  const samples: KindSample[] = []
  const add = (format: string, kinds: readonly string[], texts: readonly string[]): void => {
    for (const text of texts) samples.push({ format, kinds, text })
  }
  for (const [form, write] of Object.entries({ ...RECORD_FORMS, ...RARER_RECORD_FORMS })) {
    const usual = form.startsWith('json') ? ['json', 'data'] : ['data', 'table']
    add(
      form,
      OF_RECORDS[form] ?? usual,
      SAMPLES.map((seed) => write(recordsOf(seed))),
    )
  }
  for (const [form, write] of Object.entries(EVENT_FORMS))
    add(
      `log: ${form}`,
      OF_EVENTS[form] ?? ['log'],
      SAMPLES.map((seed) => events(seed).map(write).join('\n')),
    )
  for (const [language, words] of Object.entries(PROSE))
    add(
      `prose: ${language}`,
      ['prose'],
      SAMPLES.map((seed) => `${words} `.repeat(seed + 2)),
    )
  for (const [language, write] of Object.entries(SOURCES))
    add(
      `code: ${language}`,
      ['code'],
      SAMPLES.map((seed) =>
        WORDS.slice(seed, seed + 6)
          .map(write)
          .join('\n'),
      ),
    )
  for (const [format, { kinds, write }] of Object.entries(OTHERS)) add(format, kinds, SAMPLES.map(write))
  for (const file of readdirSync(reports))
    add(`report: ${file}`, ['test-report', 'log', 'prose'], [readFileSync(`${reports}/${file}`, 'utf8')])
  return samples
}
