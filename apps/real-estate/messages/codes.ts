import type { DevIssuer } from '../../../adapters/identity/dev-issuer/dev-issuer.ts'
import type { CodesOf, IssueCodesOf } from '../../../core/failure.ts'
import type { RealEstate } from '../../../core/real-estate/real-estate.ts'
import type { FullWording, ServerCode, ServerIssue } from '../../http/replies/messages.ts'

/** All that the real-estate business and the development issuer can fail with, but what every server words. */
export type RealEstateCode = Exclude<CodesOf<RealEstate> | CodesOf<DevIssuer> | 'permission.lacking', ServerCode>

/** All that can be wrong with a field, but what every server words. */
export type RealEstateIssue = Exclude<IssueCodesOf<RealEstate>, ServerIssue>

/** The texts of a part of the business: no code that there is not. */
export interface Part {
  readonly failures: { readonly [C in RealEstateCode]?: FullWording }
  readonly issues: { readonly [C in RealEstateIssue]?: string }
}
