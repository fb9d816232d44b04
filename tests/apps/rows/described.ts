import { Ajv2020 } from 'ajv/dist/2020.js'
import test, { type ExecutionContext } from 'ava'
import type { Json } from '../../../core/kernel/records/record.ts'
import type { RowsApi } from './api-under-test.ts'

type JsonObject = { readonly [key: string]: Json }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns the locations of properties and parameters without a description. */
const undescribed = (value: Json, at: string): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((each, index) => undescribed(each, `${at}/${index}`))
  if (!isObject(value)) return []
  const { properties, parameters } = value
  const named = [
    ...(isObject(properties) ? Object.entries(properties) : []),
    ...(Array.isArray(parameters) ? parameters.map((each, index) => [`${index}`, each] as const) : []),
  ]
  return [
    ...named.flatMap(([name, each]) => (isObject(each) && !isDescribed(each) ? [`${at}: ${name}`] : [])),
    ...Object.entries(value).flatMap(([key, each]) => {
      if (PLAIN.has(key)) return []
      // The keys are names of fields, one of which may be `properties`, too.
      if (key === 'properties' && isObject(each))
        return Object.values(each).flatMap((field) => undescribed(field, `${at}/${key}`))
      return undescribed(each, `${at}/${key}`)
    }),
  ]
}

const PLAIN = new Set(['example', 'default', 'enum'])

/** A referenced parameter has its own description; an enum alone only narrows a described schema. */
const isDescribed = ({ description, $ref, enum: values, ...rest }: JsonObject): boolean =>
  typeof description === 'string' ||
  (typeof $ref === 'string' && $ref.startsWith('#/components/parameters/')) ||
  (Array.isArray(values) && Object.keys(rest).length === 0)

/** Returns the locations of lists without a schema of items. */
const openLists = (value: Json, at: string): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((each, index) => openLists(each, `${at}/${index}`))
  if (!isObject(value)) return []
  const isOpen = [value.type ?? []].flat().includes('array') && value.items === undefined
  return [...(isOpen ? [at] : []), ...Object.entries(value).flatMap(([key, each]) => openLists(each, `${at}/${key}`))]
}

/** The least numbers in a document, so that the tests do not pass for an empty one. */
interface Least {
  readonly paths: number
  readonly schemas: number
  /** Parameters with examples. */
  readonly parameters: number
}

/** Tests that the document of an API describes all its parts. */
export const describedSuite = (open: (t: ExecutionContext) => Promise<Pick<RowsApi, 'ask'>>, least: Least): void => {
  const read = async (t: ExecutionContext) => (await (await open(t)).ask('GET', '/openapi.json')).body

  test('every parameter, header and field of the documentation is described', async (t) => {
    const document = await read(t)
    t.true(Object.keys(document.paths).length >= least.paths)
    t.true(Object.keys(document.components.schemas).length >= least.schemas)
    t.deepEqual(undescribed(document, ''), [])
    for (const [kind, parts] of Object.entries<JsonObject>(document.components))
      for (const [name, part] of Object.entries(parts))
        if (kind !== 'schemas') t.true(isObject(part) && typeof part.description === 'string', `${kind} ${name}`)
    t.deepEqual(
      document.tags.filter(({ description }: { readonly description?: string }) => description === undefined),
      [],
      'areas without a description',
    )
  })

  test('lists have a schema of items, and examples of parameters match their schemas', async (t) => {
    const document = await read(t)
    t.deepEqual(openLists(document, ''), [])
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    const parameters = Object.values<JsonObject>(document.paths)
      .flatMap((methods) => Object.values(methods))
      .flatMap((operation) => (isObject(operation) && Array.isArray(operation.parameters) ? operation.parameters : []))
      .filter(isObject)
    const shown = parameters.filter(({ example }) => example !== undefined)
    t.true(shown.length >= least.parameters)
    const unfit = shown.filter(({ schema, example }) => isObject(schema) && !ajv.validate(schema, example))
    t.deepEqual(unfit, [])
  })

  test('no success is described as an error', async (t) => {
    const document = await read(t)
    const operations = Object.values<JsonObject>(document.paths).flatMap((path) => Object.values(path))
    const successes = operations.flatMap((operation) =>
      isObject(operation) && isObject(operation.responses)
        ? Object.entries(operation.responses).filter(([status]) => status.startsWith('2'))
        : [],
    )
    t.true(successes.length >= least.paths)
    for (const [status, reply] of successes)
      t.notRegex(`${isObject(reply) && reply.description}`, /^(Erro|false)/, status)
  })
}
