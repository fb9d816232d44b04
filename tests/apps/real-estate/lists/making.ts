import { file } from '../../../../core/real-estate/files.ts'
import { condominium } from '../../../../core/real-estate/records/property.ts'
import { type VisitStatus, visit } from '../../../../core/real-estate/records/visit.ts'
import { ADDRESS, storedIn } from '../stored.ts'
import type { EstateTestApi, Person } from '../test-api.ts'

/** A record, and by which queries a list gives it and not the other one: each filter, with one or several values. */
export interface Found {
  readonly id: string
  readonly by: Readonly<Record<string, string | readonly string[]>>
}

export type Pair = readonly [Found, Found]

interface Visiting {
  readonly of: Readonly<Record<'propertyId' | 'clientId' | 'propertyCode' | 'clientName', string>>
  readonly brokerId: string
  readonly scheduledAt: string
  readonly status: VisitStatus
}

/** What makes the records of a company. */
export const making = (api: EstateTestApi, admin: Person) => {
  const stored = storedIn(api, admin)
  const { companyId, userId } = admin
  const [fresh, put] = [api.fresh, stored.put]
  return {
    ...stored,
    condominiumOf: (name: string, taxId: string, syndicId: string) =>
      put(condominium.build(companyId, { name, taxId, syndicId, email: null, phone: null, address: ADDRESS }, fresh())),
    fileOf: (fileName: string, contentType: 'image/png' | 'application/pdf') => {
      const sent = { fileName, contentType, storagePath: 'a/b', url: 'https://fotos.example/a', sizeBytes: 1 }
      return put(file.build(companyId, sent, fresh(), { uploadedBy: userId }))
    },
    visitOf: ({ of, brokerId, scheduledAt, status }: Visiting) => {
      const { propertyId, clientId, ...names } = of
      const sent = { propertyId, clientId, brokerId, scheduledAt, notes: null }
      return put(visit.build(companyId, sent, fresh(), { status, ...names }))
    },
    /** A property and a client of its own, by whose code and name what is about them is found. */
    async about(code: string, name: string) {
      const [property, client] = [await stored.propertyOf({ code }), await stored.clientOf({ name })]
      const ids = { propertyId: property.id, clientId: client.id }
      return { ids, of: { ...ids, propertyCode: code, clientName: name } }
    },
  }
}

export type Made = ReturnType<typeof making>

/** What two records are about, and brokers of their own. */
export const two = async ({ about, brokerOf }: Made) => ({
  one: { ...(await about('CASA_7', 'João Peçanha')), brokerId: (await brokerOf({ name: 'Íris Lima' })).id },
  other: { ...(await about('AP-9', 'Maria da Silva')), brokerId: (await brokerOf({ name: 'Bruno Reis' })).id },
})
