import type { AnyRow } from '../../../apps/http/rows/row.ts'
import type { ApiUnderTest, Fixture, RowsApi } from './api-under-test.ts'
import { askAt, placeOf, preparedOf } from './places.ts'

const OWN_VERB = /\.\w+$/

type Named = Readonly<Record<string, unknown>>

const isNamed = (value: unknown): value is Named => typeof value === 'object' && value !== null && 'id' in value

/** The record that an answer tells of, in whatever envelope. */
const recordIn = (body: unknown): Named | undefined =>
  [body, ...Object.values((body ?? {}) as Named)].find((each) => isNamed(each)) as Named | undefined

/** Makes one of a plain resource as its `create` row shows, of what nobody else has. */
const asItsRowShows =
  <A extends RowsApi>(under: ApiUnderTest<A>, create: AnyRow): Fixture<A> =>
  async (api) => {
    const begun = await fixtureOf(under, create)(api)
    const { body, ...asked } = preparedOf(create, begun)
    const answer = await askAt(api, placeOf(create), { ...asked, body: under.anew(create, body) })
    const record = recordIn(answer.body)
    if (record === undefined) throw new Error(`${create.name} made nothing: ${answer.status} ${answer.text}`)
    return { ...begun, params: { id: `${record.id}` } }
  }

/** The fixture of a name, or else what the row of the same resource makes whose examples have that name. Throws where there is neither. */
export const fixtureNamed = <A extends RowsApi>(under: ApiUnderTest<A>, name: string): Fixture<A> => {
  const own = under.given[name]
  if (own) return own
  const shown = under.rows.find(({ example }) => example.given === name)
  const create = shown && under.rows.find((each) => each.name === shown.name.replace(OWN_VERB, '.create'))
  if (!create || create === shown) throw new Error(`no fixture is called ${name} in \`given\` of its API's tests`)
  return asItsRowShows(under, create)
}

/** What makes what a row's example speaks of. */
export const fixtureOf = <A extends RowsApi>(under: ApiUnderTest<A>, { example }: AnyRow): Fixture<A> =>
  example.given === undefined ? async () => ({}) : fixtureNamed(under, example.given)
