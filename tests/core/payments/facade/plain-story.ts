import type { AnyRow } from '../../../../apps/http/rows/row.ts'
import { rows } from '../../../../apps/payments/catalogue.ts'
import type { Actor } from '../../../../core/payments/actor.ts'
import { right } from '../access/test-ports.ts'
import type { Ask, Modules, Told } from './told.ts'

type Members = Readonly<Record<string, Ask>>

/** Returns the request body of a row's example, as a program passes it. */
const sentBy = (row: AnyRow | undefined): unknown =>
  row?.input.body ? right(row.input.body.decode(row.example.request?.body)) : {}

const keptAndRemoved = async (members: Members, member: Actor, row: (verb: string) => AnyRow | undefined) => {
  const ask = async (name: string, ...given: readonly unknown[]) => {
    const one = members[name]
    return one ? right(await one(member, ...given)()) : null
  }
  const created = sentBy(row('create'))
  const { id } = (await ask('create', created)) as { readonly id: number }
  await ask('list', {})
  await ask('list', null)
  await ask('read', `${id}`)
  await ask('update', id, sentBy(row('update')))
  await ask('replace', id, created)
  await ask('remove', id)
}

/** Of each resource of which something was not told yet, one is made, read, changed and removed, as the examples of its rows say. */
export const plainStory = async (modules: Modules, told: Told, member: Actor): Promise<void> => {
  for (const [module, members] of Object.entries(modules))
    if (members.create && Object.keys(members).some((name) => !told.has(`${module}.${name}`)))
      await keptAndRemoved(members, member, (verb) => rows.find(({ name }) => name === `${module}.${verb}`))
}
