import type { PageCount } from '../../../http/replies/dialect.ts'
import { memberExample } from '../people/member-example.ts'

/** A membership as `membershipView` shows it, for the documentation. */
export const membershipExample = {
  id: 2,
  user_id: 2,
  account_id: 1,
  user: { ...memberExample, id: 2, document: '52998224725' },
  role: { id: 3, name: 'OPERATOR' },
  status: 1,
  created_at: '2030-11-21T10:05:09-03:00',
  updated_at: '2030-11-21T10:05:09-03:00',
}

/** The meta of lists of memberships. Source: 01-access.md, Legacy account users. */
export const membershipMeta = ({ page, perPage, total }: PageCount) => {
  const totalPages = Math.max(1, Math.ceil(total / perPage))
  return {
    total,
    page,
    limit: perPage,
    total_pages: totalPages,
    has_next_page: page < totalPages,
    has_prev_page: page > 1,
  }
}

export const membershipMetaExample = membershipMeta({ page: 1, perPage: 100, total: 1 })
