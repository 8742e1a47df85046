// SPDX-License-Identifier: Zlib
/// \file budget.h
/// What an engine may spend at one size (`--cap`). A step cannot be interrupted, so the budget is asked before each
/// piece of work whether it will fit.
#ifndef CLT_COMMAND_BUDGET_H
#define CLT_COMMAND_BUDGET_H

namespace cullet::compare
{

class Budget
{
public:
    explicit Budget( double seconds ) : m_leftMs( 1e3 * seconds )
    {
    }

    void spend( double milliseconds )
    {
        m_leftMs -= milliseconds;
    }

    bool affords( double milliseconds ) const
    {
        return milliseconds <= m_leftMs;
    }

private:
    double m_leftMs;
};

} // namespace cullet::compare

#endif
