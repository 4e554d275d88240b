/** An item whose definition is made, or read, each time somebody asks for it. */
export const withDefinition = <Item extends object>(
  item: Item,
  read: () => string,
): Item & { readonly definition: string } =>
  Object.defineProperty(item, 'definition', { get: read, enumerable: true }) as Item & {
    readonly definition: string
  }
