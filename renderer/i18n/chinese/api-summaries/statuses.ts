/** The meaning of each status, by its number and the tag of the operation where model calls differ. */
export const statuses: Readonly<Record<string, string>> = {
  200: '成功。',
  400: '输入有误：field 给出位置，message 说明应当如何。',
  401: '尚未登录，或名称、密码、访问令牌有误。',
  403: '不允许：因为角色、缺少身份验证、Host 或 Origin。',
  404: '没有这样的记录，或它属于别人。',
  409: '记录的状态不允许这样做。',
  413: '内容过大。',
  415: '内容不是 JSON。',
  423: '错误的验证码或密码过多，已锁定：Retry-After 给出秒数。',
  429: '请求或失败的登录过多：Retry-After 给出多少秒后重试。',
  500: '网关内部出错，原因见其日志。',
  502: '厂商或支付商出错。',
  503: '网关目前无法工作。',
  507: '要保存的内容无法写入。',
  '4XX': '失败的调用，格式与该路径的线上格式一致。',
  '5XX': '失败的调用，格式与该路径的线上格式一致。',
}
