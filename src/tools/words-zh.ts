/** Owns the tools' sentences in Chinese. */
import type { en } from './words-en.ts';

const n = (value: number): string => value.toLocaleString('en-US');

export const zh: typeof en = {
  noSuchTool: name => `没有名为 ${name} 的工具。`,
  wrongArguments: (problems, more) =>
    `参数不符合要求：${problems.map(p => (p.path ? `${p.path}：${p.says}` : p.says)).join('；')}` +
    `${more > 0 ? `；另有 ${n(more)} 处问题` : ''}。`,
  brokenText: path => `参数中含有无效的 Unicode 文本${path ? `，位置：${path}` : ''}。`,
  unknownArgument: path => `参数中有此工具不能原样接受的内容：${path}。`,
  inspectFailed: detail => `无法为此调用核对现状：${detail}`,
  inspectTooSlow: seconds => `为此调用核对现状超过了 ${n(seconds)} 秒。`,
  inspectStopped: '为此调用核对现状时被中止。',
  noSummary: '该工具没有说明它要做什么。',
  toolFailed: (tool, detail) => `${tool} 出错结束：${detail}`,
  timedOut: (tool, seconds) => `${tool} 运行满 ${n(seconds)} 秒，达到上限，已被停止。`,
  aborted: tool => `${tool} 已被停止。`,
  abortedBefore: tool => `${tool} 在开始之前已被停止。`,
  askedOtherwise: name => `“${name}”之下的答复与现在所问的不符；该工具在此期间有变化。`,
  tooLateToBegin: tool => `${tool} 没有开始：时限已过。`,
  lastSign: sign => `最后的动静：${sign}`,
  leftOut: bytes => `[… 省略 ${n(bytes)} 字节 …]`,
  binaryOutput: bytes => `[二进制输出，${n(bytes)} 字节，不予显示]`,
  notOffered: (tool, agent) => `${tool} 不是智能体 ${agent} 的工具。`,

  askUser: question => `提问：${question}`,
  askApprovers: question => `选择：${question}`,
  optionsWithChoices: '只用于 choice 和 choices，且这两种必须有选项',
  optionsAlike: '选项不能重复',

  askAgent: (agent, task) => `请 ${agent} 处理：${task}`,
  handOff: (agent, draft) => `交给 ${agent}：${draft}`,
  noHandOff: (from, to) => `智能体 ${from} 不向 ${to} 移交工作。`,
  draftReturned: (name, why) => `稿件没有移交：${name} 退回了它，并指出要改什么：“${why}”可以修改后再次移交。`,
  draftAccepted: name => `${name} 接受了稿件。已移交，得到的结果是：`,
  draftEdited: name => `${name} 修改了稿件。已移交修改后的稿件，得到的结果是：`,

  run: (command, folder) => `执行 ${command}${folder === null ? '' : `（在 ${folder} 中）`}`,
  runImpact: '它以 Countersign 自身的权限运行，可以改动这些权限所及的一切。',
  noProgram: name => `这里没有程序 ${name}。什么都没有运行。`,
  notExecutable: name => `${name} 不是可以运行的程序。什么都没有运行。`,
  notStarted: (name, code) => `无法启动 ${name}（${code}）。什么都没有运行。`,
  nulInArgument: '不能把 NUL 字符传给程序',
  emptyProgram: '程序没有名称',
  filesChanged: '此命令要运行或读取的内容在最后一次核对之后有变化。什么都没有运行。',
  exitCode: code => `退出码 ${code}`,
  endedBySignal: signal => `因 ${signal} 结束`,
  commandTimedOut: seconds => `运行满 ${n(seconds)} 秒，达到时限，已被停止`,
  commandAborted: '运行途中被停止',
  commandLost: detail => `看管命令的进程提前结束${detail ? `：${detail}` : ''}`,
  noOutput: '（没有输出）',
  leftBehind: '（它遗留的进程已被结束。）',

  pathEmpty: '路径为空。',
  pathNul: path => `路径 ${path} 含有 NUL 字符。`,
  pathAbsolute: path => `路径 ${path} 是绝对路径。路径须从项目文件夹算起，例如 notes/old.txt。`,
  pathParent: path => `路径 ${path} 含有“..”。路径须从项目文件夹算起，只能向下。`,
  pathForm: (path, plain) => `请把路径 ${path} 写成规范形式：${plain}。`,
  pathOut: path => `路径 ${path} 是通向项目文件夹之外的链接。`,
  pathLink: (path, real) => `路径 ${path} 实际上是 ${real}。请改用后者。`,
  pathBrokenLink: path => `路径 ${path} 是一个失效的链接。`,
  pathTooLong: path => `路径 ${path} 太长。`,
  pathThroughFile: path => `路径 ${path} 中间有一段不是文件夹。`,
  noFile: path => `没有文件 ${path}。`,
  noFolder: path => `没有文件夹 ${path}。`,
  isFolder: path => `${path} 是文件夹，不是文件。`,
  isFile: path => `${path} 是文件，不是文件夹。`,
  isSpecial: path => `${path} 既不是文件也不是文件夹（而是管道、套接字或设备），因此不去碰它。`,
  fileTrouble: (path, code) => `系统拒绝访问 ${path}（${code}）。`,
  changedMeanwhile: path => `${path} 在最后一次核对之后有变化。什么都没有做。`,

  list: path => `列出 ${path}`,
  listed: (name, bytes) => `${name}（${n(bytes)} 字节）`,
  listedLink: name => `${name}（链接）`,
  listedSpecial: name => `${name}（既不是文件也不是文件夹）`,
  listedMore: more => `……另有 ${n(more)} 项`,
  emptyFolder: '（空）',
  read: path => `读取 ${path}`,
  tooLarge: (path, bytes, limit) => `${path} 有 ${n(bytes)} 字节；最多能读取 ${n(limit)} 字节。`,
  binaryFile: (path, bytes) => `${path} 不是文本（${n(bytes)} 字节），因此不予显示。`,
  emptyFile: path => `${path} 是空文件。`,
  write: (path, characters, replaces) =>
    `写入 ${path}（${n(characters)} 个字符，${
      replaces === null
        ? '新文件'
        : 'characters' in replaces
          ? `替换 ${n(replaces.characters)} 个字符`
          : `替换 ${n(replaces.bytes)} 字节`
    }）`,
  writeImpact: '文件现有的内容无法恢复。',
  wrote: (path, characters) => `已写入 ${path}（${n(characters)} 个字符）。`,
  delete: path => `删除 ${path}`,
  deleteImpact: '文件不会留下副本。',
  deleted: path => `已删除 ${path}。`,
};
