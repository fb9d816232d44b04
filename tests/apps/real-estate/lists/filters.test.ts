import test from 'ava'
import { rows } from '../../../../apps/real-estate/catalogue.ts'
import { openEstateApi, worked } from '../test-api.ts'
import { making } from './making.ts'
import { pairs } from './pairs.ts'

/** What a list is asked for that narrows nothing. */
const PAGING = ['page', 'pageSize']
/** The routes that the specification has: what is added since has cases of its own. */
const narrowed = rows.filter(({ name }) => name in pairs)

test('every pair is of a route', (t) => {
  t.deepEqual(narrowed.map(({ name }) => name).sort(), Object.keys(pairs).sort())
})

for (const { name, paths, input } of narrowed)
  test(`${name}: each filter and each search gives what it is asked for, and nothing else`, async (t) => {
    const api = await openEstateApi(t)
    const admin = await api.agency()
    const found = (await pairs[name]?.(making(api, admin))) ?? []
    const idsOf = async (query: string): Promise<readonly string[]> => {
      const { data, payments } = worked(await api.ask('GET', `${paths[0]}?${query}`, { token: admin.token }))
      return (data ?? payments).map(({ id }: { id: string }) => id)
    }
    t.deepEqual([...(await idsOf(''))].sort(), found.map(({ id }) => id).sort())
    for (const { id, by } of found)
      for (const [field, values] of Object.entries(by))
        for (const value of [values].flat())
          t.deepEqual(await idsOf(`${new URLSearchParams({ [field]: value })}`), [id], `${field}: ${value}`)
    const asked = new Set(found.flatMap(({ by }) => Object.keys(by)))
    const offered = Object.keys(input.query?.fields ?? {}).filter((field) => !PAGING.includes(field))
    t.deepEqual([...asked].sort(), offered.sort(), 'every filter that is offered is asked')
  })
