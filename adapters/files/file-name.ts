const NAME = /^[A-Za-z\d-]{1,100}$/

/** A name as the port has it. Throws for any other: it comes from us, and might lead out of where files are kept. */
export const fileName = (name: string): string => {
  if (!NAME.test(name)) throw new RangeError(`no name of a file: ${JSON.stringify(name)}`)
  return name
}
