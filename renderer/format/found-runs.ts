/** A piece of a text: outside of what is searched for, or one find, numbered from 0 over all texts. */
export interface FoundRun {
  readonly text: string
  readonly find?: number
}

/** Ignores case. More finds than `most` aren't counted. */
export function countFinds(text: string, wanted: string, most = 10_000): number {
  let count = 0
  const within = text.toLowerCase()
  const searched = wanted.toLowerCase()
  if (searched === '') return 0
  for (
    let at = within.indexOf(searched);
    at >= 0 && count < most;
    at = within.indexOf(searched, at + searched.length)
  )
    count++
  return count
}

export function foundRuns(text: string, wanted: string, first: number): FoundRun[] {
  const within = text.toLowerCase()
  const searched = wanted.toLowerCase()
  // Some letters change their length in lower case; positions would be wrong.
  if (searched === '' || within.length !== text.length) return [{ text }]
  const runs: FoundRun[] = []
  let done = 0
  let find = first
  for (let at = within.indexOf(searched); at >= 0; at = within.indexOf(searched, done)) {
    if (at > done) runs.push({ text: text.slice(done, at) })
    done = at + searched.length
    runs.push({ text: text.slice(at, done), find: find++ })
  }
  if (done < text.length) runs.push({ text: text.slice(done) })
  return runs
}
