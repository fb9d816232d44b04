import { KEY_LIFE_SECONDS, MAX_KEY_CHARS } from '../../../core/office/idempotency-keys.ts'
import { fillPlaceholders } from '../../http/pages/placeholders.ts'
import AUTHENTICATION from './authentication.md'
import ERRORS from './errors.md'
import FIRST_RENT from './first-rent.md'
import GETTING_STARTED from './getting-started.md'
import IDEMPOTENCY from './idempotency.md'
import NOTIFICATIONS from './notifications.md'
import PAGINATION from './pagination.md'
import PRODUCTION from './production.md'
import TOKEN_OF_ISSUER from './token-of-issuer.md'
import TOKEN_OF_PROVIDER from './token-of-provider.md'

const GUIDES = [
  GETTING_STARTED,
  AUTHENTICATION,
  FIRST_RENT,
  NOTIFICATIONS,
  ERRORS,
  IDEMPOTENCY,
  PAGINATION,
  PRODUCTION,
].join('\n')

/**
 * Returns the guides of the real-estate API in Markdown, one top heading a guide, in the order of an integration. Their
 * commands run one after the other in one shell, against the server at `url`; without the development issuer the reader
 * sets `TOKEN` and `USUARIO`.
 */
export const guidesOf = (url: string, hasIssuer: boolean): string =>
  fillPlaceholders(GUIDES, {
    URL: url,
    TOKEN_STEP: hasIssuer ? fillPlaceholders(TOKEN_OF_ISSUER, { URL: url }) : TOKEN_OF_PROVIDER,
    KEY_MAX_CHARS: MAX_KEY_CHARS,
    KEY_LIFE_HOURS: KEY_LIFE_SECONDS / 3_600,
  })
