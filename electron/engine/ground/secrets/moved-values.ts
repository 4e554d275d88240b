/** Variable in which an app passes on a value that only it knows. `place`: a header's name, or an argument's index. */
export const variableFor = (field: string, place: string): string =>
  `SLUICE_${field}_${place}`.replaceAll(/\W+/g, '_').replace(/_$/, '').toUpperCase()

/** With where its value goes, unless the name says so: an index means nothing to a reader. */
export function withPlace(variable: string): string {
  const [, index] = /^SLUICE_ARG_(\d+)$/.exec(variable) ?? []
  return index === undefined ? variable : `${variable} (argument ${Number(index) + 1})`
}
