/** What is said while nobody, or fewer people than needed, may decide a request, in Chinese. */
import { bold, t } from '../../line.ts';
import type { Texts } from '../en.ts';

export const lack: Texts['lack'] = {
  nobody: t`${bold('现在没有人可以审批')}`,
  tooFew: needed => t`${bold(`现在可以审批的人不足 ${needed} 人`)}`,
  staysOpen: what => t`${what}。请求会一直等待，人数足够后继续；管理员可以添加审批人。`,
  later: (what, at, scopes) => t`${what}；从 ${at} 起 ${scopes} 也可以审批。`,
  row: what => t` · ${what}；管理员可以添加审批人`,
  rowNobody: t`现在没有人可以审批`,
  rowTooFew: needed => t`现在可以审批的人不足 ${needed} 人`,
  rowLater: (needed, at) =>
    needed === null ? t` · ${at} 之前没有人可以审批` : t` · ${at} 之前可以审批的人不足 ${needed} 人`,
};
