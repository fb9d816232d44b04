import { paging } from '../../core/real-estate/records/fields.ts'

/** How all plain resources of an agency speak. Source: 03-real-estate.md, Conventions; decisions.md §6 and §10. */
export const AGENCY_CRUD = {
  dialect: 'estate',
  auth: 'member',
  put: 'replaces',
  unpaged: false,
  pages: paging,
  filtered: true,
} as const
