/** Made or read on each request. */
export const withDefinition = <Item extends object>(
  item: Item,
  read: () => string,
): Item & { readonly definition: string } =>
  Object.defineProperty(item, 'definition', { get: read, enumerable: true }) as Item & {
    readonly definition: string
  }
