import test from 'ava'
import { openAgency } from './given/basics.ts'
import { outcomeOf, type Person, worked } from './test-api.ts'

const PLAN = {
  fileName: 'Planta do térreo.pdf',
  storagePath: 'plans/1.pdf',
  url: 'https://storage.example.com/plans/1.pdf',
  contentType: 'application/pdf',
  sizeBytes: 10_485_760,
}

test('staff sees all files of the company, others their own; only the uploader or an Admin removes one', async (t) => {
  const { api, admin, ask } = await openAgency(t)
  const owner = await api.colleague(admin, 'Owner')
  const upload = async ({ token }: Person) => worked(await api.ask('POST', '/api/files', { token, body: PLAN })).id
  const [mine, theirs] = [await upload(owner), await upload(admin)]
  const seenBy = async ({ token }: Person) =>
    worked(await api.ask('GET', '/api/files', { token })).data.map(({ id }: { id: string }) => id)
  for (const role of ['Broker', 'Financial'] as const) {
    const person = await api.colleague(admin, role)
    t.deepEqual((await seenBy(person)).sort(), [mine, theirs].sort(), role)
    const refused = await api.ask('DELETE', `/api/files/${mine}`, { token: person.token })
    t.is(outcomeOf(refused), '403 file.not-own', role)
  }
  for (const role of ['Tenant', 'Syndic'] as const)
    t.deepEqual(await seenBy(await api.colleague(admin, role)), [], role)
  t.deepEqual(await seenBy(owner), [mine])
  t.is((await api.ask('GET', `/api/files/${theirs}`, { token: owner.token })).status, 404)
  t.is((await api.ask('DELETE', `/api/files/${theirs}`, { token: owner.token })).status, 404)
  t.is((await api.ask('GET', `/api/files?uploadedBy=${admin.userId}`, { token: owner.token })).body.total, 1)
  t.is((await api.ask('DELETE', `/api/files/${mine}`, { token: owner.token })).status, 204)
  const again = await upload(owner)
  t.is((await ask('DELETE', `/api/files/${again}`)).status, 204)
})
