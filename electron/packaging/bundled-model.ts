import { writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { BUNDLED_INDEX, type BundledIndex, type BundledModel } from '../engine/models/bundled-models.ts'
import { readShippedCatalogue } from '../engine/models/catalogue.ts'
import { readGgufHeader } from '../engine/models/gguf/read-gguf-header.ts'
import { freeId, hashFile } from '../engine/models/library.ts'

/** Accepts any GGUF text model; a catalogue model keeps its name. Rejects with MODEL_FILE_INVALID. */
export async function writeBundledIndex(model: string, folder: string): Promise<string> {
  const path = join(folder, BUNDLED_INDEX)
  const index: BundledIndex = { models: [await describeModel(model)] }
  writeFileSync(path, `${JSON.stringify(index, null, 2)}\n`)
  return path
}

async function describeModel(path: string): Promise<BundledModel> {
  const { fileBytes: bytes, name, contextTokens } = await readGgufHeader(path)
  const sha256 = await hashFile(path)
  const catalogue = readShippedCatalogue()
  const file = basename(path)
  const isSame = (known: (typeof catalogue)[number]): boolean =>
    known.sha256 === null ? known.file === file && known.bytes === bytes : known.sha256 === sha256
  const known = catalogue.find(isSame)
  if (known) {
    return { id: known.id, name: known.name, file, bytes, sha256, contextTokens: known.contextTokens }
  }
  const id = freeId(file, new Set(catalogue.map((each) => each.id)))
  return { id, name: name ?? id, file, bytes, sha256, contextTokens }
}
