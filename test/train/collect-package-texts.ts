/**
 * Writes test/guard/package-benign.jsonl.gz, the guard's ordinary documents: `node test/train/collect-package-texts.ts`. Of half of
 * the installed packages; the other half is left for measuring.
 */
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { type PackageDocument, readPackageDocuments } from './package-documents.ts'

/** Texts of each kind. Notices quote licences of others: for measuring only. */
const MOST = { licences: 60, changelogs: 70, readmes: 100, notices: 0 }
/** Characters. */
const LONGEST = 20_000

const documents = readPackageDocuments().filter(({ isHeldOut }) => !isHeldOut)
const hash = ({ path }: PackageDocument): string => createHash('sha256').update(path).digest('hex')
const rows = (['licences', 'changelogs', 'readmes'] as const).flatMap((kind) =>
  documents
    .filter((each) => each.kind === kind)
    .toSorted((a, b) => hash(a).localeCompare(hash(b)))
    .slice(0, MOST[kind])
    .map(({ path, licence, text }, index) =>
      JSON.stringify({
        id: `package-${kind}-${index}`,
        source: `package ${kind}`,
        path,
        licence,
        text: text.slice(0, LONGEST),
      }),
    ),
)
writeFileSync(
  new URL('../guard/package-benign.jsonl.gz', import.meta.url),
  gzipSync(`${rows.join('\n')}\n`, { level: 9 }),
)
process.stdout.write(`${rows.length} texts.\n`)
