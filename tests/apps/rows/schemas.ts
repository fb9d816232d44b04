import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { PARAMETERS, unescapePath } from '../../../apps/http/routing.ts'
import type { RowsApi, Wording } from './api-under-test.ts'
import type { Place } from './places.ts'

const FORMATS: Readonly<Record<string, RegExp | true>> = {
  date: /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/,
  'date-time': /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/,
  uuid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  uri: /^https?:\/\/\S+$/,
  email: /^[^\s@]+@[^\s@]+$/,
  password: true,
}

interface Operation {
  readonly operationId: string
}

/** The document of the running app, which validates answers. */
export interface Documented {
  readonly operations: readonly Operation[]
  /** Returns the errors of an answer against its documented schema; null for none. */
  wrongWith(place: Place, status: number, body: unknown): string | null
  /** Returns the errors of a failure against the schema of a dialect; null for none. */
  wrongFailure(dialect: string, body: unknown): string | null
}

const BASE = 'https://portico.test/openapi'

/** Encodes a key for a JSON Pointer in a URI. */
const pointerKey = (key: string): string => encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))

export const documentOf = async (api: RowsApi, { failureSchema }: Wording): Promise<Documented> => {
  const { body: document } = await api.ask('GET', '/openapi.json')
  // To optimize the code of a schema takes longer than to run it.
  const code = { optimize: false }
  const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false, formats: FORMATS, code })
  ajv.addVocabulary(['example', 'openapi', 'info', 'servers', 'tags', 'paths', 'webhooks', 'components'])
  ajv.addSchema({ $id: BASE, ...document })
  const validators = new Map<string, ValidateFunction>()
  const wrong = (pointer: string, body: unknown): string | null => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${BASE}#${pointer}` })
    validators.set(pointer, validate)
    return validate(body) ? null : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`
  }
  const paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> = document.paths
  return {
    operations: Object.values(paths).flatMap((methods) => Object.values(methods)),
    wrongWith({ path, method }, status, body) {
      const at = [
        'paths',
        unescapePath(path.replace(PARAMETERS, '{$1}')),
        method.toLowerCase(),
        'responses',
        `${status}`,
      ]
      const response = at.reduce((part, key) => part?.[key], document)
      if (!response) return `${status} is not documented`
      const [type] = Object.keys(response.content ?? {})
      if (type === undefined) return body === null ? null : 'a body is not documented'
      return wrong(`/${[...at, 'content', type, 'schema'].map(pointerKey).join('/')}`, body)
    },
    wrongFailure: (dialect, body) => wrong(`/components/schemas/${failureSchema?.(dialect) ?? 'Failure'}`, body),
  }
}

const kindOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => kindOf(value) === 'object'

/**
 * Returns the differences between an answer and its example: keys, JSON types, and the values of fields whose path
 * `varies` does not match, by default none. A list has items if that of the example has some, and each item is like one
 * of them.
 */
export const differences = (answer: unknown, example: unknown, varies = /./, at = 'body'): readonly string[] => {
  const [got, wanted] = [kindOf(answer), kindOf(example)]
  if (got !== wanted) return [`${at} is ${got}, not ${wanted}`]
  if (Array.isArray(answer) && Array.isArray(example)) return listDifferences(answer, example, varies, at)
  if (!isObject(answer) || !isObject(example))
    return answer === example || varies.test(at) ? [] : [`${at} is ${answer}, not ${example}`]
  return [...new Set([...Object.keys(example), ...Object.keys(answer)])].flatMap((key) => {
    if (!Object.hasOwn(answer, key)) return [`${at}.${key} is missing`]
    if (!Object.hasOwn(example, key)) return [`${at}.${key} is not in the example`]
    return differences(answer[key], example[key], varies, `${at}.${key}`)
  })
}

const listDifferences = (
  answer: readonly unknown[],
  example: readonly unknown[],
  varies: RegExp,
  at: string,
): readonly string[] => {
  if ((answer.length === 0) !== (example.length === 0))
    return [`${at} has ${answer.length} items, not ${example.length}`]
  return answer.flatMap((item) => {
    const wrongs = example.map((each) => differences(item, each, varies, `${at}[]`))
    return wrongs.some((wrong) => wrong.length === 0) ? [] : (wrongs[0] ?? [])
  })
}
