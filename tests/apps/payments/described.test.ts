import test from 'ava'
import type { Json } from '../../../core/kernel/records/record.ts'
import { describedSuite } from '../rows/described.ts'
import { openTestApi } from './test-api.ts'

describedSuite(openTestApi, { paths: 51, schemas: 81, parameters: 51 })

type JsonObject = { readonly [key: string]: Json }

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

test('names served routes that are not deprecated as replacements of deprecated ones', async (t) => {
  const api = await openTestApi(t)
  const { paths } = (await api.ask('GET', '/openapi.json')).body
  const operations = Object.values<JsonObject>(paths).flatMap((methods) => Object.values(methods).filter(isObject))
  const uses = operations.flatMap(({ deprecated, description }) =>
    deprecated === true && !`${description}`.endsWith('nenhuma outra a substitui.')
      ? [/use `([^`]+)`/.exec(`${description}`)?.[1] ?? '']
      : [],
  )
  t.true(uses.length > 8)
  t.deepEqual(
    uses.filter((use) => !Object.values<JsonObject>(paths[use] ?? {}).some(({ deprecated }) => deprecated !== true)),
    [],
  )
})

const METHODS = ['PIX', 'BOLETO', 'BOLEPIX', 'CREDIT_CARD']

test('documents only the accepted payment methods and event types', async (t) => {
  const api = await openTestApi(t)
  const { paths, components } = (await api.ask('GET', '/openapi.json')).body
  t.deepEqual(components.schemas.NewCharge.properties.payment_method.enum, METHODS)
  const filter = paths['/invoices'].get.parameters.find(({ name }: { name?: string }) => name === 'payment_method')
  t.deepEqual(filter.schema.items.enum, METHODS)
  t.deepEqual(
    components.schemas.WebhookDelivery.properties.event.enum,
    components.schemas.ChargeEvent.properties.type.enum,
  )
})
