// Also runs on MongoDB, in test:long.
import test from 'ava'
import { contracts } from '../../../../core/real-estate/records/contract.ts'
import { renames } from '../../../../core/real-estate/renames.ts'
import { storedIn } from '../stored.ts'
import { openEstateApi, worked } from '../test-api.ts'

const searchesOf = async (api: Awaited<ReturnType<typeof openEstateApi>>) =>
  (await api.every(contracts)).map(({ search }) => search).sort()

test('whoever refers to a client is found by the name that they have now, and by the old one no more', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const { clientOf, contractOf } = storedIn(api, admin)
  const maria = await clientOf()
  for (let count = 0; count < 230; count += 1)
    await contractOf({
      propertyId: 'x',
      clientId: maria.id,
      propertyCode: 'AP-1',
      clientName: maria.name,
      search: 'ap-1\nmaria da silva',
    })
  const { name: _, ...rest } = { name: maria.name, email: 'joana@example.com', type: 'Individual', interest: 'Lease' }
  worked(
    await api.ask('PUT', `/api/clients/${maria.id}`, { token: admin.token, body: { ...rest, name: 'Joana Prado' } }),
  )
  await api.drain()
  t.deepEqual([...new Set(await searchesOf(api))], ['ap-1\njoana prado'])
  // A request that had read the old name when it changed is looked for a minute later.
  t.is((await api.every(renames)).length, 1)
  await contractOf({
    propertyId: 'x',
    clientId: maria.id,
    propertyCode: 'AP-2',
    clientName: maria.name,
    search: 'ap-2\nmaria da silva',
  })
  api.clock.advance(61)
  await api.drain()
  t.deepEqual([...new Set(await searchesOf(api))], ['ap-1\njoana prado', 'ap-2\njoana prado'])
  t.deepEqual(await api.every(renames), [])
})

test('who keeps their name makes nobody work', async (t) => {
  const api = await openEstateApi(t)
  const admin = await api.agency()
  const maria = await storedIn(api, admin).clientOf()
  const body = { name: maria.name, email: 'outra@example.com', type: 'Individual', interest: 'Both' }
  worked(await api.ask('PUT', `/api/clients/${maria.id}`, { token: admin.token, body }))
  await api.drain()
  t.deepEqual(await api.every(renames), [])
})
