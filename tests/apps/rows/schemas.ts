import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { TestApi } from '../payments/test-api.ts'
import type { Place } from './places.ts'

const FORMATS: Readonly<Record<string, RegExp | true>> = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\/\S+$/,
  email: /^[^\s@]+@[^\s@]+$/,
  password: true,
}

type Content = Readonly<Record<string, { readonly schema: object }>>

interface Operation {
  readonly operationId: string
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** The document of the running app, and what it says of an answer. */
export interface Documented {
  readonly operations: readonly Operation[]
  /** What is wrong with an answer of this status by the document's own schema; null where nothing is. */
  wrongWith(place: Place, status: number, body: unknown): string | null
  /** What is wrong with a failure in the words of a dialect. */
  wrongFailure(dialect: string, body: unknown): string | null
}

/** Of every api the same, and read once. */
export const documented = (api: TestApi): Promise<Documented> => {
  known ??= readFrom(api)
  return known
}

let known: Promise<Documented> | null = null

const readFrom = async (api: TestApi): Promise<Documented> => {
  const { body: document } = await api.ask('GET', '/openapi.json')
  const ajv = new Ajv2020({ strict: true, strictRequired: false, allowUnionTypes: true, formats: FORMATS })
  ajv.addVocabulary(['example', 'openapi', 'info', 'servers', 'tags', 'paths', 'components'])
  ajv.addSchema({ $id: 'https://portico.test/openapi', components: document.components })
  const validators = new Map<string, ValidateFunction>()
  const wrong = (name: string, schema: () => object, body: unknown): string | null => {
    const validate = validators.get(name) ?? ajv.compile(schema())
    validators.set(name, validate)
    return validate(body) ? null : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`
  }
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = document.paths
  return {
    operations: Object.values(paths).flatMap((methods) => Object.values(methods)),
    wrongWith({ path, method }, status, body) {
      const operation = paths[path.replace(/[:*](\w+)/g, '{$1}')]?.[method.toLowerCase()]
      const response = operation?.responses[status]
      if (!response) return `${status} is not documented`
      const schema = Object.values(response.content ?? {})[0]?.schema
      if (!schema) return body === null ? null : 'a body is not documented'
      return wrong(`${method} ${path} ${status}`, () => schema, body)
    },
    wrongFailure: (dialect, body) =>
      wrong(dialect, () => ({ $ref: `https://portico.test/openapi#/components/schemas/failure.${dialect}` }), body),
  }
}
