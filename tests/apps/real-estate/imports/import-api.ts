import type { Answer, EstateTestApi, Person } from '../test-api.ts'

/** Sends a file to be imported: `properties/import`. */
export const importing =
  (api: EstateTestApi, { token }: Pick<Person, 'token'>) =>
  (target: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
    api.ask('POST', `/api/${target}`, { token, body, headers: { 'content-type': 'text/csv', ...headers } })

/** What is wrong with each line, by its number: its fields with their codes. */
export const wrongByLine = ({ body }: Answer): Readonly<Record<number, readonly string[]>> =>
  Object.fromEntries(
    body.lines.flatMap(({ line, errors }: Answer['body']) =>
      errors ? [[line, errors.map(({ field, code }: Answer['body']) => `${field}: ${code}`)]] : [],
    ),
  )

/** The lines of which something was made. */
export const madeLines = ({ body }: Answer): readonly number[] =>
  body.lines.flatMap(({ line, id }: Answer['body']) => (id === undefined ? [] : [line]))

const TITLES = 'name,email,type,interest'

/** So many clients, each with an e-mail of its own. */
export const clientsOf = (count: number): string =>
  [TITLES, ...Array.from({ length: count }, (_, at) => `Cliente ${at},c${at}@example.com,Individual,Lease`)].join('\n')
