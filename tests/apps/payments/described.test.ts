import test from 'ava'
import type { Json } from '../../../core/kernel/records/collection.ts'
import { openTestApi } from './test-api.ts'

type JsonObject = { readonly [key: string]: Json }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The places of the document where something is named and nobody says what it is. */
const bare = (value: Json, at: string): readonly string[] => {
  if (Array.isArray(value)) return value.flatMap((each, index) => bare(each, `${at}/${index}`))
  if (!isObject(value)) return []
  const { properties, parameters } = value
  const named = [
    ...(isObject(properties) ? Object.entries(properties) : []),
    ...(Array.isArray(parameters) ? parameters.map((each, index) => [`${index}`, each] as const) : []),
  ]
  return [
    ...named.flatMap(([name, each]) => (isObject(each) && !isDescribed(each) ? [`${at}: ${name}`] : [])),
    ...Object.entries(value).flatMap(([key, each]) => (PLAIN.has(key) ? [] : bare(each, `${at}/${key}`))),
  ]
}

const PLAIN = new Set(['example', 'default', 'enum'])

/** A parameter that is pointed at is described where it stands; what only narrows a schema is described in it. */
const isDescribed = ({ description, $ref, enum: values, ...rest }: JsonObject): boolean =>
  typeof description === 'string' ||
  (typeof $ref === 'string' && $ref.startsWith('#/components/parameters/')) ||
  (Array.isArray(values) && Object.keys(rest).length === 0)

test('every parameter, header and field of the documentation is described', async (t) => {
  const api = await openTestApi(t)
  const { body: document } = await api.ask('GET', '/openapi.json')
  t.true(Object.keys(document.paths).length > 50)
  t.true(Object.keys(document.components.schemas).length > 80)
  t.deepEqual(bare(document, ''), [])
  for (const [kind, parts] of Object.entries<JsonObject>(document.components))
    for (const [name, part] of Object.entries(parts))
      if (kind !== 'schemas') t.true(isObject(part) && typeof part.description === 'string', `${kind} ${name}`)
  t.deepEqual(
    document.tags.filter(({ description }: { readonly description?: string }) => description === undefined),
    [],
  )
})

test('what a deprecated route is to be replaced by is served, and not deprecated', async (t) => {
  const api = await openTestApi(t)
  const { paths } = (await api.ask('GET', '/openapi.json')).body
  const operations = Object.values<JsonObject>(paths).flatMap((methods) => Object.values(methods).filter(isObject))
  const uses = operations.flatMap(({ deprecated, description }) =>
    deprecated === true ? [/use `([^`]+)`/.exec(`${description}`)?.[1] ?? ''] : [],
  )
  t.true(uses.length > 8)
  t.deepEqual(
    uses.filter((use) => !Object.values<JsonObject>(paths[use] ?? {}).some(({ deprecated }) => deprecated !== true)),
    [],
  )
})

test('only what is served is offered', async (t) => {
  const api = await openTestApi(t)
  const { paths, components } = (await api.ask('GET', '/openapi.json')).body
  t.deepEqual(components.schemas.NewCharge.properties.payment_method.enum, ['PIX'])
  const filter = paths['/invoices'].get.parameters.find(({ name }: { name?: string }) => name === 'payment_method')
  t.deepEqual(filter.schema.items.enum, ['PIX'])
  t.deepEqual(
    components.schemas.WebhookDelivery.properties.event.enum,
    components.schemas.ChargeEvent.properties.type.enum,
  )
})
