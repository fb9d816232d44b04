import test from 'ava'
import type { AnyRow } from '../../../apps/http/rows/row.ts'
import { printSeed, some } from '../../size.ts'
import type { RowsApi } from './api-under-test.ts'
import { askAt, type Place, type Prepared, placeOf, placesOf } from './places.ts'
import { fixtureNamed, type RowsSuite } from './suite.ts'
import type { Reply } from './wire.ts'

/** Malformed ids. */
export const NO_IDS = ['0', '-1', '1.0', '1e0', '１', 'abc', '9'.repeat(400), '[$ne]', '{"$gt":""}', "' OR 1=1--"]

const seen = ({ status, body }: Reply) => ({ status, body })

/** Tests that no row lets a caller act without permission or see the records of another tenant. */
export const tenantsSuite = <A extends RowsApi>(under: RowsSuite<A>): void => {
  test.before((t) => printSeed(t))
  refusesRoles(under)
  hidesRecords(under)
  knowsReferences(under)
  hidesReferences(under)
}

const refusesRoles = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const { closed, open, prepare, writesNothing, roles, wording } = under

  test('the table of roles contains every permission', (t) => {
    const unnamed = closed.flatMap(({ permission }) =>
      permission === undefined || Object.hasOwn(roles.may, permission) ? [] : [permission],
    )
    t.deepEqual([...new Set(unnamed)], [], 'permissions missing in `roles.may`')
  })

  for (const row of closed.filter(({ permission }) => permission !== undefined))
    test.serial(`${row.name} returns 403 only for roles without ${row.permission}`, async (t) => {
      const api = await open(t)
      const sent = await prepare(api, placeOf(row))
      const may = new Set(roles.may[row.permission ?? ''])
      const as = async (role: (typeof roles.all)[number]): Promise<Prepared> => ({
        ...sent,
        token: await roles.member(api, sent.token ?? '', role),
      })
      for (const role of roles.all.filter((each) => !may.has(each))) {
        const sentAs = await as(role)
        await writesNothing(t, api, async () => {
          for (const place of placesOf(row)) {
            const refused = seen(await askAt(api, place, sentAs))
            t.deepEqual(refused, { status: 403, body: wording.forbidden }, `${place.path}, role ${role}`)
          }
        })
      }
      // Permitted roles come last: their requests may remove the record.
      for (const role of roles.all.filter((each) => may.has(each))) {
        const { status, body } = await askAt(api, placeOf(row), await as(role))
        // A 403 with a code of the row's own is for the request, not for the role.
        t.true(status !== 403 || Object.hasOwn(row.errors ?? {}, `${wording.codeIn(body)}`), `role ${role}`)
      }
    })
}

const hidesRecords = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const { closed, open, prepare, writesNothing, references, wording } = under
  for (const row of closed.filter(({ paths }) => paths.some((path) => path.includes(':'))))
    test.serial(`${row.name} returns the same 404 for another tenant's record as for an unknown one`, async (t) => {
      const api = await open(t)
      const [mine, theirs] = [await prepare(api, placeOf(row)), await prepare(api, placeOf(row))]
      await writesNothing(t, api, async () => {
        for (const [index, place] of placesOf(row).entries()) {
          const foreign = seen(await askAt(api, place, { ...mine, params: theirs.params }))
          t.is(foreign.status, 404, place.path)
          const ids = [...references.unknownIds, ...NO_IDS]
          for (const id of index === 0 ? ids : some(ids, 2, index)) {
            const params = Object.fromEntries(Object.keys(mine.params).map((name) => [name, id]))
            const answer = seen(await askAt(api, place, { ...mine, params }))
            // A use case that finds the record by itself may report a malformed id as a wrong field.
            const isWrongField = !row.record && answer.status === wording.invalid && NO_IDS.includes(id)
            if (!isWrongField) t.deepEqual(answer, foreign, `${place.path} ${id}`)
          }
        }
      })
    })
}

const PARTS = ['query', 'body'] as const

const namesIn = ({ input }: AnyRow, part: (typeof PARTS)[number]): readonly string[] =>
  Object.keys(input[part]?.fields ?? {})

const knowsReferences = <A extends RowsApi>({
  rows,
  references: { names, fixtures, exempt: none },
}: RowsSuite<A>): void => {
  test('every reference to a record has a fixture', (t) => {
    const all = rows.flatMap((row) => PARTS.flatMap((part) => namesIn(row, part)))
    t.deepEqual(
      all.filter((name) => names.test(name) && !Object.hasOwn(fixtures, name) && !none.has(name)),
      [],
    )
  })
}

const hidesReferences = <A extends RowsApi>(under: RowsSuite<A>): void => {
  const { closed, open, prepare, writesNothing, wording, references } = under
  const [unknown] = references.unknownIds
  for (const row of closed)
    for (const part of PARTS)
      for (const name of namesIn(row, part)) {
        const made = references.fixtures[name]
        if (!made) continue
        const absent = `${row.name} treats another tenant's ${name} in the ${part} as unknown`
        test.serial(absent, async (t) => {
          const api = await open(t)
          const place: Place = placeOf(row)
          const sent = await prepare(api, place)
          const { params = {} } = await fixtureNamed(under, made)(api)
          const naming = (id: string): Prepared =>
            part === 'query'
              ? { ...sent, query: { ...sent.query, [name]: id } }
              : { ...sent, body: { ...sent.body, [name]: references.inBody(id) } }
          await writesNothing(t, api, async () => {
            const foreign = seen(await askAt(api, place, naming(params.id ?? '')))
            t.deepEqual(foreign, seen(await askAt(api, place, naming(unknown))))
            if (part === 'body') t.deepEqual(Object.keys(wording.fieldsIn(foreign.body)), [name])
          })
        })
      }
}
