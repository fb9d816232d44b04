import type { Json } from '../../../core/kernel/records/record.ts'
import { templateOf } from '../routing/path-parameters.ts'
import type { ApiConfig, ApiDocs } from '../rows/api.ts'
import type { AnyRow, ApiTypes } from '../rows/row.ts'
import { componentsOf } from './components.ts'
import { dialectDocs } from './dialects.ts'
import { operationOf } from './operation.ts'
import { operationIdOf } from './operation-id.ts'
import { webhooksOf } from './webhooks.ts'

/** An OpenAPI 3.1 document. */
export type OpenApi = { readonly [key: string]: Json }

/** The document of an API, folded from its rows: every alias and method is an operation of its own. */
export const openApi = (setup: ApiConfig<ApiTypes>): OpenApi => {
  const { rows, authSchemes: schemes, dialects, publicUrl, title, version, introduction, docs = {} } = setup
  const components = componentsOf()
  const known = dialectDocs(setup)
  const paths: Record<string, Record<string, OpenApi>> = {}
  const ids = new Set<string>()
  for (const row of rows) {
    const [scheme, dialect, common] = [schemes[row.auth], dialects[row.dialect], known.get(row.dialect)]
    if (!scheme || !dialect || !common) continue
    for (const path of row.paths) {
      const template = templateOf(path)
      const operations = paths[template] ?? {}
      paths[template] = operations
      for (const method of row.methods) {
        const id = operationIdOf(row, path, method)
        if (ids.has(id)) throw new Error(`two operations are called ${id}`)
        ids.add(id)
        const place = { row, method, path, scheme, dialect, common }
        operations[method.toLowerCase()] = operationOf(place, id, setup, components)
      }
    }
  }
  const webhooks = webhooksOf(setup, components)
  return {
    openapi: '3.1.0',
    info: {
      title,
      version,
      ...(introduction !== undefined && { description: introduction }),
      contact: { name: title, url: publicUrl },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // The page tries requests at the place that it came from; the other one is for whoever keeps the document.
    servers: [{ url: '/' }, { url: publicUrl }],
    tags: [...new Set([...rows, ...(docs.webhooks ?? [])].map(({ area }) => area))].map((name) => tagOf(name, docs)),
    paths,
    ...(webhooks && { webhooks }),
    components: { securitySchemes: securityOf(setup), ...components.all() },
  }
}

const tagOf = (name: string, { areas = {} }: ApiDocs): OpenApi => {
  const description = areas[name]
  return { name, ...(description !== undefined && { description }) }
}

const securityOf = ({ authSchemes: schemes, rows }: ApiConfig<ApiTypes>): OpenApi =>
  Object.assign({}, ...rows.map(({ auth }: AnyRow) => schemes[auth]?.security ?? {}))
