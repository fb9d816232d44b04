import { t } from '../../fp.ts'
import { insert, patch } from '../../kernel/records/change.ts'
import type { Collection } from '../../kernel/records/collection.ts'
import { record } from '../../kernel/records/record.ts'
import { all, always, eq } from '../../kernel/records/where.ts'
import { recordsById } from '../../kernel/resources/list-queries.ts'
import { serialByName } from '../../kernel/running/concurrency.ts'
import { randomCode } from '../../kernel/running/fresh.ts'
import { scanNewestFirst } from '../../kernel/running/slices.ts'
import { accept, readUseCase, useCase } from '../../kernel/running/use-case.ts'
import { byId } from '../../ports/store.ts'
import type { Actor } from '../actor.ts'
import type { RealEstateModule } from '../real-estate-module.ts'
import type { RealEstatePorts } from '../real-estate-ports.ts'
import { brokers } from '../records/broker.ts'
import { type Company, companies } from '../records/company.ts'
import { properties } from '../records/property.ts'
import { feedOf, listingOf } from './vrsync.ts'

const feedLink = record({
  /** The id of the company whose properties it shows. */
  id: t.string,
  /** Of the token that opens it, which is kept nowhere. */
  tokenDigest: t.string,
  createdAt: t.string,
  updatedAt: t.string,
})

/** By what a company's feed is opened: one token at a time. */
type FeedLink = t.TypeOf<typeof feedLink>

export const feedLinks: Collection<FeedLink> = {
  name: 'estate.feed-links',
  ids: 'text',
  codec: feedLink,
  owner: null,
}

/** Properties that are written in one go: others are served in between. */
const AT_ONCE = 25

/** Nobody guesses one of so many letters and digits. */
const SECRET_LENGTH = 40
const TOKEN = /^(?<companyId>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.[0-9A-Za-z]+$/

/** The properties of a company that are to be had, as portals take them. */
export interface Feed {
  readonly xml: string
  /** Of exactly this feed: whoever has it already need not take it again. */
  readonly tag: string
}

const writtenFeed = async ({ store, digest }: RealEstatePorts, company: Company, since: string): Promise<Feed> => {
  const { id: companyId } = company
  const where = all<'companyId' | 'status'>(eq('companyId', companyId), eq('status', 'Available'))
  const listings: string[] = []
  let publishedAt = since
  for await (const slice of scanNewestFirst(store, { from: properties, where, when: 'live' }, AT_ONCE)) {
    const named = await recordsById(
      store,
      brokers,
      companyId,
      slice.map(({ brokerId }) => brokerId),
    )
    for (const property of slice) {
      const broker = property.brokerId === null ? null : (named.get(property.brokerId) ?? null)
      listings.push(listingOf({ property, broker }))
      if (property.updatedAt > publishedAt) publishedAt = property.updatedAt
    }
  }
  const xml = feedOf(company.legalName ?? 'Portico', listings, publishedAt)
  return { xml, tag: digest.sha256(xml) }
}

/** A feed is large: all who ask for one while it is written get the same, and feeds are written one after the other. */
const feedWriter = (ports: RealEstatePorts) => {
  const line = serialByName()
  const underWay = new Map<string, Promise<Feed>>()
  return (company: Company, since: string): Promise<Feed> => {
    const same = underWay.get(company.id)
    if (same) return same
    const mine = line('feed', () => writtenFeed(ports, company, since)).finally(() => underWay.delete(company.id))
    underWay.set(company.id, mine)
    return mine
  }
}

/** The feed that a token opens; the token says whose it is, and a digest whether it is the one that holds. */
const feedAt = async (
  { store, digest }: RealEstatePorts,
  write: ReturnType<typeof feedWriter>,
  token: string,
): Promise<Feed | null> => {
  const companyId = TOKEN.exec(token)?.groups?.companyId
  const link = companyId === undefined ? null : await store.find(byId(feedLinks, companyId))
  if (!digest.equal(digest.sha256(token), link?.tokenDigest ?? '') || !link) return null
  const company = await store.find(byId(companies, link.id))
  return company && write(company, link.createdAt)
}

/** What portals are told of the properties of a company. */
export const feed = {
  collections: [feedLinks],
  useCases: (ports: RealEstatePorts, write = feedWriter(ports)) => ({
    /**
     * Makes the address of the company's feed, and the former one void. Its token is kept nowhere: only here it is told.
     * Source: reference/real-estate.md, 3.12.
     */
    createLink: ({ companyId }: Pick<Actor, 'companyId'>) =>
      useCase(
        ports,
        (store) => store.find(byId(feedLinks, companyId)),
        (link, fresh) => {
          const { now } = fresh
          const token = `${companyId}.${randomCode(fresh, SECRET_LENGTH)}`
          const tokenDigest = ports.digest.sha256(token)
          const change = link
            ? patch(feedLinks, companyId, { set: { tokenDigest, updatedAt: now }, when: always })
            : insert(feedLinks, { id: companyId, tokenDigest, createdAt: now, updatedAt: now })
          return accept({ url: `${ports.settings.publicUrl}/api/properties/feed.xml?token=${token}` }, change)
        },
      ),
    /**
     * The feed that a token opens: the company's Available properties as VRSync XML, the newest first.
     * Fails: `feed.unknown`.
     * Source: reference/real-estate.md, 3.12.
     */
    read: (token: string) => readUseCase('feed.unknown', () => feedAt(ports, write, token)),
  }),
} satisfies RealEstateModule
