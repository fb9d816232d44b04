import type { JsonSchema } from '../../../core/kernel/input/json-schema.ts'
import type { ApiConfig } from '../rows/api.ts'
import type { ApiTypes } from '../rows/row.ts'
import { operationOf } from './operation.ts'
import { failureSchema } from './wrapping.ts'

/** An OpenAPI 3.1 document. */
export type OpenApi = Readonly<Record<string, unknown>>

/** The document of an API, folded from its rows: every alias and method is an operation of its own. */
export const openApi = (setup: ApiConfig<ApiTypes>): OpenApi => {
  const { title, version, introduction } = setup
  const paths: Record<string, Record<string, OpenApi>> = {}
  for (const row of setup.rows) {
    const places = row.paths.flatMap((path) => row.methods.map((method) => ({ path, method })))
    for (const [index, { path, method }] of places.entries()) {
      const template = templateOf(path)
      const operations = paths[template] ?? {}
      paths[template] = operations
      // The first place has the row's name; the others count on from it.
      const operationId = index === 0 ? row.name : `${row.name}.${index + 1}`
      operations[method.toLowerCase()] = operationOf(row, { method, path, operationId }, setup)
    }
  }
  return {
    openapi: '3.1.0',
    info: { title, version, ...(introduction === undefined ? {} : { description: introduction }) },
    // The page tries requests at the place that it came from; the other one is for whoever keeps the document.
    servers: [{ url: '/' }, { url: setup.publicUrl }],
    tags: [...new Set(setup.rows.map((row) => row.area))].map((name) => ({ name })),
    paths,
    components: { securitySchemes: schemesOf(setup), schemas: failuresOf(setup) },
  }
}

/** `/invoices/:id` as `/invoices/{id}`. */
const templateOf = (path: string): string => path.replace(/[:*](\w+)/g, '{$1}')

const schemesOf = ({ authSchemes: schemes, rows }: ApiConfig<ApiTypes>) => {
  const used = new Set(rows.map((row) => row.auth))
  return Object.fromEntries(
    Object.entries(schemes).flatMap(([name, { security }]) => (security && used.has(name) ? [[name, security]] : [])),
  )
}

const failuresOf = ({ dialects }: ApiConfig<ApiTypes>): Readonly<Record<string, JsonSchema>> =>
  Object.fromEntries(Object.entries(dialects).map(([name, dialect]) => [`failure.${name}`, failureSchema(dialect)]))
