import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { detectKind } from '../../../../electron/engine/text/kinds/detect-kind.ts'

const root = resolve(import.meta.dirname, '../../../..')
const file = (path: string) => readFileSync(resolve(root, path), 'utf8')
const times = (count: number, make: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => make(i)).join('\n')
const escape = String.fromCharCode(27)

const samples: Readonly<Record<string, readonly [name: string, text: string][]>> = {
  json: [
    ['an object', '{"a": 1}'],
    ['an array', ' [\n  1, 2\n]\n'],
    ['the lock file', file('package-lock.json')],
    ['JSON lines', times(9, (i) => `{"id":${i},"name":"x"}`)],
  ],
  table: [
    ['CSV', times(20, (i) => `${i},name ${i},"a, b",${i * 3}`)],
    ['TSV', times(20, (i) => `${i}\tname ${i}\t${i * 3}`)],
    ['semicolons', times(20, (i) => `${i};name ${i};${i * 3}`)],
    [
      'kubectl get',
      `NAME   READY   STATUS    RESTARTS   AGE\n${times(8, (i) => `web-${i}   1/1     Running   0          ${i}d`)}`,
    ],
    ['a Markdown table alone', `| a | b |\n|---|---|\n${times(9, (i) => `| ${i} | x |`)}`],
  ],
  log: [
    ['ISO times', times(9, (i) => `2024-05-01T10:00:0${i}Z INFO started ${i}`)],
    ['syslog', times(9, (i) => `Jun 14 15:16:0${i} combo sshd[1993${i}]: authentication failure`)],
    [
      'an access log',
      times(9, (i) => `10.0.0.${i} - - [10/Oct/2000:13:55:36 -0700] "GET /${i} HTTP/1.0" 200 2326`),
    ],
    ['JSON lines with a level', times(9, (i) => `{"level":"info","ts":17000000${i},"msg":"hello"}`)],
    ['brackets that look like JSON', times(9, (i) => `[2024-01-01 10:00:0${i}] request done]`)],
  ],
  code: [
    ['TypeScript', file('electron/engine/compression/allocate.ts')],
    ['Python', times(6, (i) => `def f${i}(a, b):\n    """Adds."""\n    total = a + b\n    return total\n`)],
    ['a shell script', '#!/bin/bash\n# Says hello\nset -e\necho hello\n'],
    ['SQL', 'CREATE TABLE t (\n  id INTEGER,\n  name TEXT\n);\nINSERT INTO t (id) VALUES (1);\n'],
    [
      'a style sheet',
      times(9, (i) => `.part-${i} > a:hover {\n  color: #21d4e${i};\n  margin: ${i}px;\n}\n`),
    ],
    ['minified JavaScript', `var a=(b)=>{let c=b(1);return c};${'function d(e){return e(f)};'.repeat(60)}`],
  ],
  html: [
    ['a page', '<!-- saved --><!DOCTYPE html><html><body><p>Hi</p></body></html>'],
    ['a fragment', '<div><p>One</p><p>Two</p></div>'],
  ],
  markdown: [
    ['headings', '# Title\n\nSome text that goes on.\n\n## Part\n\nMore text.'],
    [
      'a README that begins with HTML',
      `<p align="center"><img src="x.svg"></p>\n\n# Title\n\n${'Words and words. '.repeat(30)}`,
    ],
    [
      'a README whose longest part is an example',
      `# Watcher\n\nIt watches files.\n\n## Use\n\n\`\`\`js\n${times(40, (i) => `watcher.on('event${i}', () => {});`)}\n\`\`\`\n\n## Help\n\n- Ask [here](https://example.org)\n`,
    ],
    ['lists and links', times(9, (i) => `- see [page ${i}](https://example.org/${i})`)],
  ],
  prose: [
    [
      'sentences',
      'The council met on Tuesday. It decided nothing, as was expected by most.\n\nThe mayor left early.',
    ],
    ['Chinese', '火车明天早上从北京出发，下午到达上海。\n'.repeat(9)],
    ['nothing', ''],
    [
      'commits of people whose addresses begin like tags',
      times(
        30,
        (i) =>
          `commit ${i}7f\nAuthor: Ada <a@quay.example>\nAuthor: Ida <i.b@quay.example>\n\n    Round it up\n`,
      ),
    ],
    ['what bash -x prints', times(30, (i) => `+ echo 'step ${i}'\nstep ${i}: quay\n+ export QUAY_${i}=${i}`)],
    ['a letter', 'Dear John,\n\nI hope this finds you well: we are late, again.\n\nBest regards,\nAnn\n'],
  ],
  diff: [
    [
      'git diff',
      'diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-old\n+new\n same\n',
    ],
    [
      'git show',
      'commit abc\nAuthor: A <a@b.c>\nDate: today\n\n    Words\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n',
    ],
  ],
  'file-list': [
    ['find', times(9, (i) => `./src/part-${i}/index.ts`)],
    ['Windows paths', times(9, (i) => `C:\\Users\\me\\file ${i}.cs`)],
    ['ls -l', `total 8\n${times(6, (i) => `-rw-r--r-- 1 me me ${i}42 Nov 22 01:5${i} file-${i}.txt`)}`],
    ['what the filesystem server lists', times(9, (i) => `[FILE] name ${i}.md`)],
  ],
  'test-report': [
    [
      'javac',
      `${times(9, (i) => `src/A${i}.java:4: warning: [rawtypes] found raw type: List\n  List raw = new ArrayList();\n  ^\n  missing type arguments for generic class List<E>\n  where E is a type-variable:\n    E extends Object declared in interface List`)}\n1 error\n9 warnings`,
    ],
    ['tsc', times(5, (i) => `src/a${i}.ts(3,5): error TS2322: Type 'x' is not assignable to type 'y'.`)],
    [
      'pytest',
      '===== test session starts =====\ncollected 2 items\n\ntest_a.py .F  [100%]\n\n===== FAILURES =====\n',
    ],
    [
      'vitest, in colour',
      `${escape}[32m✓${escape}[39m test/a.test.ts (3 tests)\n × adds numbers\n Tests  1 failed | 2 passed (3)\n`,
    ],
    [
      'cargo',
      '   Compiling foo v0.1.0\nerror[E0425]: cannot find value `x`\n --> src/main.rs:4:5\nerror: aborting due to previous error\n',
    ],
    [
      'go test',
      '=== RUN   TestA\n--- FAIL: TestA (0.00s)\n    a_test.go:5: no\nFAIL\nFAIL\texample.org/a\t0.003s\n',
    ],
  ],
  binary: [
    ['control characters', 'PK\u0003\u0004\u0000\u0000\u0008'.repeat(40)],
    ['base64', Buffer.from(times(500, (i) => `${i * 7919}`)).toString('base64')],
  ],
}

describe('detectKind', () => {
  test.each(
    Object.entries(samples).flatMap(([kind, texts]) =>
      texts.map(([name, text]) => [kind, name, text] as const),
    ),
  )('%s: %s', (kind, _, text) => {
    expect(detectKind(text)).toBe(kind)
  })

  test('comments that follow each other are no headings', () => {
    const rules = Array.from({ length: 60 }, (_, n) => `-A INPUT -s 10.0.0.${n}/32 -p tcp -j ACCEPT now`)
    expect(detectKind(['# Made by hand on Monday', '# Keep it short', ...rules].join('\n'))).not.toBe(
      'markdown',
    )
    const text = Array.from({ length: 60 }, () => 'The crew of a ship keeps watch by turns, day and night.')
    expect(detectKind(['# The watch', '## By day', ...text].join('\n'))).toBe('markdown')
    expect(detectKind(['# The watch', ...text, '# The night', ...text].join('\n\n'))).toBe('markdown')
  })

  test('code is seen below the remarks behind its statements', () => {
    const fields = ['int count;', 'char * name;', 'struct list_head * next;', 'unsigned long flags;']
    const text = fields.map((field, n) => `\t${field.padEnd(40)}/* ${n * 8}   ${n} */`)
    expect(detectKind(['struct item {', ...text, '};', 'struct other {', ...text, '};'].join('\n'))).toBe(
      'code',
    )
  })

  test('lists of names are no code, though their lines end with commas, brackets and semicolons', () => {
    const crew = ['Anna Berg, Olaf Lund,', 'Pia Moen (72 Jon Dahl),', 'Sven Holt (captain)']
    const ship = (n: number) => [
      `Boat ${n} v Boat ${n + 1}  2-1`,
      `(Ida LIE 5', Per NESS 74'(p);`,
      ...crew,
      '',
    ]
    expect(detectKind(Array.from({ length: 12 }, (_, n) => ship(n).join('\n')).join('\n'))).not.toBe('code')
  })

  test('what goes in and out with a sign before each line is no Markdown', () => {
    const trace = Array.from(
      { length: 8 },
      (_, n) => `* Step ${n} of the door\n> ASK part-${n}\n} [${n} parts]\n< GOT part-${n}`,
    )
    expect(detectKind(trace.join('\n'))).not.toBe('markdown')
    const list = Array.from({ length: 8 }, (_, n) => `* Step ${n} of the door\n\n> Said of ${n}\n`)
    expect(detectKind(list.join('\n'))).toBe('markdown')
  })

  test('a kind can be ruled out', () => {
    expect(detectKind('{"a": 1}', 'json')).not.toBe('json')
  })

  test('sees a summary at the end of a long report', () => {
    const report = `${'doing this and that\n'.repeat(5000)}\nnot ok 7 - adds numbers\nnot ok 9\nnot ok 11\nnot ok 12\nnot ok 13\nnot ok 14\nnot ok 15\nnot ok 16\nnot ok 17\n# tests 20\n# fail 9\n`
    expect(detectKind(report)).toBe('test-report')
  })
})

test('one indented value of JSON whose lines are times is JSON, lines of JSON with times are a log', () => {
  const time = Array.from({ length: 200 }, (_, i) => `2026-01-0${1 + (i % 9)}T1${i % 10}:00:00Z`)
  expect(detectKind(JSON.stringify({ hourly: { time } }, undefined, 2))).toBe('json')
  const lines = time.map((ts, i) => JSON.stringify({ ts, level: 'info', msg: `sent ${i}` }))
  expect(detectKind(lines.join('\n'))).toBe('log')
  const elements = lines.join(',\n')
  expect(detectKind(`{ "entries": [${elements}], "count": 200 }`)).toBe('json')
})

test('paths with sizes before them are a list of files, paths that are a cell among others are not', () => {
  const names = Array.from({ length: 40 }, (_, i) => `refs/tags/v1.${i}`)
  const hash = (i: number) => ((i + 3) * 7919).toString(16).padStart(40, 'a0')
  expect(detectKind(names.map((name, i) => `${i * 4}K\t./${name}`).join('\n'))).toBe('file-list')
  expect(detectKind(names.map((name, i) => `${hash(i)}\t${name}`).join('\n'))).toBe('table')
  expect(detectKind(names.map((name) => `${name}\tvnd`).join('\n'))).not.toBe('file-list')
})
