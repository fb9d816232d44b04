import test from 'ava'
import { bodyLeaves } from '../../rows/fields.ts'
import { askAt, placeOf } from '../../rows/places.ts'
import { worked } from '../test-api.ts'
import { estateRows } from './estate-rows.ts'

const { rows, open, prepare } = estateRows

/** Optional fields that these bodies require. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  // The example has both purposes.
  'properties.update': ['rentPrice', 'salePrice'],
  // Exactly one of value and percentage.
  'commissions.update': ['percentage'],
}
/** Values that differ from the default. */
const NON_DEFAULT: Readonly<Record<string, object>> = { 'contracts.update': { allowNegativeAdjustment: true } }
/** Defaults other than null. */
const DEFAULTS: Readonly<Record<string, unknown>> = { images: [], allowNegativeAdjustment: false }
/** Fields that an example cannot change freely, or that only qualify another field of the same body. */
const BOUND = [
  'contracts.update: proposalId',
  'contracts.update: indexerPercentage',
  'contracts.update: adjustedFrom',
  'commissions.update: value',
]
/** The field of the reply for an id of the body. */
const SHOWN_AS: Readonly<Record<string, string>> = { 'contracts.update: brokerId': 'broker' }

const replacing = rows.filter(({ methods, paths }) => methods.includes('PUT') && paths[0]?.endsWith('/:id'))

const REPLACED = 'brokers clients commissions condominiums contracts payments properties proposals visits'.split(' ')

test.serial('every specified resource is replaced by a PUT', (t) => {
  const found = replacing.map(({ name }) => name)
  for (const name of REPLACED) t.true(found.includes(`${name}.update`), name)
})

for (const row of replacing)
  test.serial(`${row.name} resets the fields that are absent from the request`, async (t) => {
    const api = await open(t)
    const place = placeOf(row)
    const { body = {}, ...sent } = await prepare(api, place)
    const all = { ...body, ...NON_DEFAULT[row.name] }
    const fields = bodyLeaves(row).filter(({ codec }) => codec)
    const isNeeded = (name: string, isRequired: boolean) => isRequired || NEEDED[row.name]?.includes(name)
    const needed = fields.filter(({ name, isRequired }) => isNeeded(name, isRequired)).map(({ name }) => name)
    const optional = fields
      .map(({ name }) => name)
      .filter((name) => !needed.includes(name) && !BOUND.includes(`${row.name}: ${name}`))
    t.not(optional.length, 0)
    const show = async () => worked(await api.ask('GET', `${row.paths[0]}`.replace(':id', sent.params.id ?? ''), sent))
    const replaceWith = async (names: readonly string[]) => {
      const only = Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
      const { status, text } = await askAt(api, place, { ...sent, body: only })
      t.is(status, 200, text)
      const shown = await show()
      return Object.fromEntries(optional.map((name) => [name, shown[SHOWN_AS[`${row.name}: ${name}`] ?? name]]))
    }
    const defaults = Object.fromEntries(optional.map((name) => [name, DEFAULTS[name] ?? null]))
    const full = await replaceWith([...needed, ...optional])
    for (const name of optional) t.notDeepEqual(full[name], defaults[name], `${name} is set at first`)
    t.deepEqual(await replaceWith(needed), defaults)
  })
