export type PartRange = readonly [first: number, last: number]

/** Parts are named "r_7f3a9c/1", ranges "r_7f3a9c/1-40". Also in an address. */
export function parsePartId(name: string): { id: string; parts: PartRange | undefined } {
  const [, id = name, first, last = first] =
    /^(?:sluice:\/\/)?(.*?)(?:\/(\d{1,9})(?:-(\d{1,9}))?)?$/s.exec(name) ?? []
  return { id, parts: first === undefined ? undefined : [Number(first), Number(last)] }
}

export const partId = (id: string, [first, last]: PartRange): string =>
  first === last ? `${id}/${first}` : `${id}/${first}-${last}`
