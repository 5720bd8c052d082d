// A small agent as its author would write it, to try the adapter with: it wins if it can, leaves no win to the opponent
// if it can, and otherwise plays at random near the centre. Its Setup takes a seed.
using System;
using System.Collections.Generic;
using System.Threading;
using ColorShapeLinks.Common;
using ColorShapeLinks.Common.AI;

namespace Alinea.Examples
{
    public class StubThinker : AbstractThinker
    {
        Random random = new Random(0);

        public override void Setup(string str)
        {
            int seed;
            if (int.TryParse(str, out seed))
                random = new Random(seed);
        }

        public override FutureMove Think(Board board, CancellationToken ct)
        {
            PColor me = board.Turn;
            FutureMove safe = FutureMove.NoMove, any = FutureMove.NoMove;
            double best = double.MinValue;
            foreach (FutureMove move in Moves(board))
            {
                if (ct.IsCancellationRequested)
                    return FutureMove.NoMove;
                any = move;
                board.DoMove(move.shape, move.column);
                Winner winner = board.CheckWinner();
                bool isSafe = winner == Winner.Draw || winner == Winner.None && !CanWin(board);
                board.UndoMove();
                if (winner == me.ToWinner())
                {
                    OnThinkingInfo("this wins");
                    return move;
                }
                double worth = random.NextDouble() - Math.Abs(2 * move.column + 1 - Cols) / 2.0;
                if (isSafe && worth > best)
                {
                    best = worth;
                    safe = move;
                }
            }
            return safe.IsNoMove ? any : safe;
        }

        static IEnumerable<FutureMove> Moves(Board board)
        {
            for (int col = 0; col < board.cols; col++)
                foreach (PShape shape in new[] { PShape.Round, PShape.Square })
                    if (!board.IsColumnFull(col) && board.PieceCount(board.Turn, shape) > 0)
                        yield return new FutureMove(col, shape);
        }

        static bool CanWin(Board board)
        {
            PColor color = board.Turn;
            foreach (FutureMove move in Moves(board))
            {
                board.DoMove(move.shape, move.column);
                bool wins = board.CheckWinner() == color.ToWinner();
                board.UndoMove();
                if (wins)
                    return true;
            }
            return false;
        }
    }
}
