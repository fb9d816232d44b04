import test from 'ava'
import { openTestApi } from './test-api.ts'

interface Schema {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Operation {
  readonly parameters?: readonly { readonly in: string; readonly name: string; readonly schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

const bare = (properties: Readonly<Record<string, Schema>> = {}): readonly string[] =>
  Object.entries(properties).flatMap(([name, schema]) => (schema.description ? [] : [name]))

test('every field of a body and every key of a query is described in the documentation', async (t) => {
  const api = await openTestApi(t)
  const { body: document } = await api.ask('GET', '/openapi.json')
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = document.paths
  const found = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [], requestBody }]) => {
      const keys = parameters.filter((each) => each.in === 'query' && !each.schema.description)
      const fields = Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => bare(schema.properties))
      return [...keys.map(({ name }) => name), ...fields].map((name) => `${method} ${path}: ${name}`)
    }),
  )
  t.true(Object.keys(paths).length > 50)
  t.deepEqual(found, [])
})
