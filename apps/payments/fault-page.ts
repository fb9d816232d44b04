import { pageOf } from '../http/pages/page.ts'

const page = pageOf<object>('<p>Volte à página anterior e tente de novo.</p>')

/** What a browser shows that was answered no page of its own. */
export const faultPage = (message: string): string => page({ heading: message }, {})
