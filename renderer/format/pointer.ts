/** Places are written as in JavaScript, findings as JSON pointers; both become the pointer. */
export const pointerOf = (place: string): string =>
  place === ''
    ? ''
    : `/${place
        .replace(/\["(.*?)"\]/g, '.$1')
        .replace(/\[(\d+)\]/g, '.$1')
        .split('.')
        .join('/')}`
