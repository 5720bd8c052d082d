// An agent of ColorShapeLinks as an engine: reads UGI on standard input and lets the agent think. Compiled together
// with Common.cs and the agent's own files:
//
//   mcs -optimize -out:mine.exe Common.cs Ugi.cs MyThinker.cs && mono mine.exe [CLASS [SETUP]]
using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Threading;
using ColorShapeLinks.Common;
using ColorShapeLinks.Common.AI;

namespace Alinea
{
    static class Ugi
    {
        static readonly TextWriter Output = TextWriter.Synchronized(Console.Out);
        static Type agent;
        static string setup = "";
        // Rows, columns, run, round and square pieces of each side.
        static int[] game = { 6, 7, 4, 10, 11 };
        static Board board = NewBoard();
        static AbstractThinker thinker;
        static Search search;

        static int Main(string[] args)
        {
            if (args.Length > 2)
                return Fail("expected at most two arguments: the class of the agent, and the text for its Setup");
            Type[] agents = typeof(Ugi).Assembly.GetTypes()
                .Where(type => type.IsSubclassOf(typeof(AbstractThinker)) && !type.IsAbstract).ToArray();
            string names = string.Join(", ", agents.Select(type => type.FullName).ToArray());
            Type[] chosen = args.Length == 0 ? agents
                : agents.Where(type => type.FullName == args[0] || type.Name == args[0]).ToArray();
            if (agents.Length == 0)
                return Fail("no class extends AbstractThinker; compile the agent's files together with this one");
            if (chosen.Length != 1)
                return Fail("name one class as the first argument; there are " + names);
            agent = chosen[0];
            setup = args.Length > 1 ? args[1] : "";
            for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
            {
                string[] words = line.Split(new[] { ' ', '\t', '\r' }, StringSplitOptions.RemoveEmptyEntries);
                if (words.Length == 0)
                    continue;
                if (words[0] == "quit")
                    break;
                try
                {
                    Command(words);
                }
                catch (FormatException error)
                {
                    return Fail(error.Message);
                }
            }
            // The agent may still be thinking on its thread.
            Environment.Exit(0);
            return 0;
        }

        static int Fail(string message)
        {
            Console.Error.WriteLine("colorshapelinks: " + message);
            return 2;
        }

        static void Command(string[] words)
        {
            switch (words[0])
            {
                case "ugi":
                    Say("id name " + agent.Name + " (ColorShapeLinks)");
                    Say("option name Game type string default simplexity:6x7x4:10+11");
                    Say("option name Setup type string default " + setup);
                    Say("ugiok");
                    break;
                case "isready":
                    Say("readyok");
                    break;
                case "setoption":
                    SetOption(words);
                    break;
                case "uginewgame":
                    EndSearch();
                    thinker = null;
                    board = NewBoard();
                    break;
                case "position":
                    EndSearch();
                    board = ReadPosition(words);
                    break;
                case "go":
                    EndSearch();
                    Go(words);
                    break;
                case "stop":
                    if (search != null)
                        search.Stop();
                    break;
                case "query":
                    Answer(words);
                    break;
            }
        }

        internal static void Say(string line)
        {
            Output.WriteLine(line);
            Output.Flush();
        }

        static void EndSearch()
        {
            if (search != null)
                search.End();
            search = null;
        }

        static void SetOption(string[] words)
        {
            int value = Array.IndexOf(words, "value");
            if (words.Length < 3 || value != 3)
                return;
            string text = string.Join(" ", words.Skip(4).ToArray());
            if (words[2] == "Game")
            {
                game = ReadGame(text);
                board = NewBoard();
                thinker = null;
            }
            else if (words[2] == "Setup")
            {
                setup = text;
                thinker = null;
            }
        }

        // simplexity[:ROWSxCOLSxRUN[:ROUND+SQUARE]]
        static int[] ReadGame(string text)
        {
            if (text == "simplexity")
                return new[] { 6, 7, 4, 10, 11 };
            string[] parts = text.Substring(text.IndexOf(':') + 1).Split(':', 'x', '+');
            List<int> numbers = new List<int>();
            int number;
            foreach (string part in parts)
                if (int.TryParse(part, out number))
                    numbers.Add(number);
            if (numbers.Count == 3)
            {
                // Pieces for the whole board, as in the competition.
                int cells = numbers[0] * numbers[1];
                numbers.AddRange(new[] { cells / 4, (cells + 3) / 4 });
            }
            if (!text.StartsWith("simplexity:") || parts.Length > 5 || numbers.Count != 5)
                throw new FormatException(
                    "\"" + text + "\" is not a game of ColorShapeLinks; expected simplexity:6x7x4:10+11");
            return numbers.ToArray();
        }

        static Board NewBoard()
        {
            return new Board(game[0], game[1], game[2], game[3], game[4]);
        }

        static Board ReadPosition(string[] words)
        {
            Board read = NewBoard();
            if (words.Length > 3 && words[1] == "fen")
                SetUp(read, words[2], words[3]);
            int moves = Array.IndexOf(words, "moves");
            for (int i = moves + 1; moves > 0 && i < words.Length; i++)
            {
                string move = words[i];
                int column;
                bool isMove = int.TryParse(move.Substring(0, move.Length - 1), out column)
                    && "rs".IndexOf(move.Last()) >= 0;
                PShape shape = move.Last() == 'r' ? PShape.Round : PShape.Square;
                if (!isMove || column < 1 || column > read.cols || read.DoMove(shape, column - 1) < 0)
                    throw new FormatException("\"" + move + "\" is not a legal move in: " + string.Join(" ", words));
            }
            return read;
        }

        // Rows from the top, numbers for empty cells; w and W are white round and square, r and R red ones.
        static void SetUp(Board read, string rows, string side)
        {
            List<Move> placed = new List<Move>();
            int row = read.rows - 1, col = 0, empty = 0;
            foreach (char c in rows + "/")
            {
                if (char.IsDigit(c))
                {
                    empty = 10 * empty + (c - '0');
                    continue;
                }
                col += empty;
                empty = 0;
                if (c == '/')
                {
                    row--;
                    col = 0;
                    continue;
                }
                int kind = "wWrR".IndexOf(c);
                if (kind < 0 || row < 0 || col >= read.cols)
                    throw new FormatException("\"" + rows + "\" is not a position of this board");
                PColor color = kind < 2 ? PColor.White : PColor.Red;
                PShape shape = kind % 2 == 0 ? PShape.Round : PShape.Square;
                placed.Add(new Move(row, col++, new Piece(color, shape)));
            }
            read.SetUp(placed, side == "w" ? PColor.White : PColor.Red);
        }

        static void Go(string[] words)
        {
            Func<string, int?> number = name =>
            {
                int place = Array.IndexOf(words, name), read;
                bool isThere = place > 0 && place + 1 < words.Length;
                return isThere && int.TryParse(words[place + 1], out read) ? read : (int?)null;
            };
            int? limit = number("movetime");
            string side = board.Turn == PColor.White ? "p1" : "p2";
            if (limit == null && number(side + "time") != null)
                limit = number(side + "time") / 20 + (number(side + "inc") ?? 0) / 2;
            if (thinker == null)
            {
                thinker = (AbstractThinker)Activator.CreateInstance(agent);
                thinker.ThinkingInfo += info => Say("info string " + info.Replace('\n', ' ').Replace('\r', ' '));
                thinker.Prepare(board, limit ?? int.MaxValue);
                thinker.Setup(setup);
            }
            thinker.TimeLimitMillis = limit ?? int.MaxValue;
            search = new Search(thinker, board, limit);
        }

        // For other tools.
        static void Answer(string[] words)
        {
            Winner winner = board.CheckWinner();
            switch (words.Length > 1 ? words[1] : "")
            {
                case "gameover":
                    Say("response " + (winner == Winner.None ? "false" : "true"));
                    break;
                case "p1turn":
                    Say("response " + (board.Turn == PColor.White ? "true" : "false"));
                    break;
                case "result":
                    string[] names = { "none", "draw", "p1win", "p2win" };
                    Say("response " + names[(int)winner]);
                    break;
            }
        }
    }

    // One thought of the agent, on a thread of its own, with the time limit of the move.
    class Search
    {
        readonly CancellationTokenSource cancel = new CancellationTokenSource();
        readonly ManualResetEvent isStopped = new ManualResetEvent(false);
        readonly AbstractThinker thinker;
        readonly Board board;
        readonly Thread thread;
        volatile bool isForgotten;

        internal Search(AbstractThinker thinker, Board board, int? limit)
        {
            this.thinker = thinker;
            this.board = board;
            if (limit != null)
                cancel.CancelAfter(Math.Max(1, limit.Value));
            // Deep recursions of agents need more than the usual stack.
            thread = new Thread(Think, 64 << 20);
            thread.IsBackground = true;
            thread.Start();
        }

        internal void Stop()
        {
            isStopped.Set();
            cancel.Cancel();
        }

        // Nothing is said any more: the next command came before the answer.
        internal void End()
        {
            isForgotten = true;
            Stop();
            thread.Join();
        }

        void Think()
        {
            FutureMove move = FutureMove.NoMove;
            try
            {
                move = thinker.Think(board.Copy(), cancel.Token);
            }
            catch (OperationCanceledException)
            {
            }
            catch (Exception error)
            {
                // As in the competition, an exception loses the game: to the arena it is a crash.
                Console.Error.WriteLine("colorshapelinks: the agent threw " + error);
                Environment.Exit(1);
            }
            if (move.IsNoMove && cancel.IsCancellationRequested)
            {
                // Agents return no move when they are cancelled, and time that is up loses the game. The arena sees it
                // if the answer waits for its stop.
                isStopped.WaitOne();
                move = FirstLegal();
            }
            if (!isForgotten)
                Ugi.Say("bestmove " + Text(move));
        }

        static string Text(FutureMove move)
        {
            return move.IsNoMove ? "none" : (move.column + 1) + (move.shape == PShape.Round ? "r" : "s");
        }

        FutureMove FirstLegal()
        {
            PShape shape = board.PieceCount(board.Turn, PShape.Round) > 0 ? PShape.Round : PShape.Square;
            for (int col = 0; col < board.cols; col++)
                if (!board.IsColumnFull(col))
                    return new FutureMove(col, shape);
            return FutureMove.NoMove;
        }
    }
}
